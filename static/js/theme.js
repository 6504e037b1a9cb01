// The lamp: day or night. The choice is kept in a cookie, so that the server draws the next page right at once
// and nothing flashes. Without a choice, and without this file, the page follows the machine's own setting.

const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");
const papers = { light: "#f7f1e3", dark: "#1c1611" };

const chosen = () => document.cookie.match(/(?:^|; )theme=(light|dark)(?:;|$)/)?.[1];
const shown = () => root.dataset.theme ?? (night.matches ? "dark" : "light");

function show() {
  for (const lamp of document.querySelectorAll("[data-lamp]")) {
    lamp.setAttribute("aria-pressed", String(shown() === "dark"));
  }
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = papers[root.dataset.theme ?? own];
  }
}

function choose(theme) {
  root.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  show();
}

// A page out of the service worker's store may have been drawn before the last choice.
const kept = chosen();
if (kept) root.dataset.theme = kept;
show();

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-lamp]")) choose(shown() === "dark" ? "light" : "dark");
});
night.addEventListener("change", show);
