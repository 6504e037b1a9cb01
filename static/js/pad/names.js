// The names at the table: remembered on this phone, and moved up or down before the first entry.

const KEY = "tallyroom-names";
const list = document.getElementById("names");
const form = document.getElementById("starting");

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

// The seats in sight: with two boxes there are more.
const fields = () =>
  [...list.querySelectorAll("input[name=name]")].filter((field) => field.offsetParent || field.value);

function recall() {
  const names = remembered();
  document
    .getElementById("remembered")
    .replaceChildren(
      ...names.map((name) => Object.assign(document.createElement("option"), { value: name })),
    );
  if (fields().some((field) => field.value)) return;
  const last = JSON.parse(localStorage.getItem(`${KEY}-last`) ?? "[]");
  fields().forEach((field, seat) => (field.value = last[seat] ?? ""));
}

function remember() {
  const now = fields()
    .map((field) => field.value.trim())
    .filter(Boolean);
  try {
    localStorage.setItem(`${KEY}-last`, JSON.stringify(now));
    localStorage.setItem(KEY, JSON.stringify([...new Set([...now, ...remembered()])].slice(0, 24)));
  } catch {
    // A phone that keeps nothing still plays.
  }
}

function mover(words, sign, by) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "name__move";
  button.textContent = sign;
  button.setAttribute("aria-label", words);
  button.addEventListener("click", () => {
    const all = fields();
    const here = all.indexOf(button.closest("li").querySelector("input[name=name]"));
    const there = here + by;
    if (there < 0 || there >= all.length) return;
    [all[here].value, all[there].value] = [all[there].value, all[here].value];
    all[there].focus();
  });
  return button;
}

for (const row of list.querySelectorAll("li")) {
  row.append(mover("Move up one seat", "↑", -1));
}
recall();
// Enter goes on to the next name; after the last one, or on an empty seat that need not be filled, the game starts.
list.addEventListener("keydown", (event) => {
  const field = event.target.closest("input[name=name]");
  if (event.key !== "Enter" || !field || event.isComposing) return;
  const next = fields()[fields().indexOf(field) + 1];
  if (!next || !field.value.trim()) return;
  event.preventDefault();
  next.focus();
  next.select();
});
form.addEventListener("submit", remember);
