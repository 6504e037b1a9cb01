// The pad's sections as the server draws them. The same fragment makes the first paint and every update;
// only sections that differ are replaced, and never one in which something is half made.

export const state = { at: "", by: "", again: false };

const pad = () => document.getElementById("pad");
const base = () => `/pads/${pad().dataset.code}/`;
let running = null;
let again = false;
let tag = null;
let newest = pad().outerHTML;
const listeners = [];

export const onRender = (listener) => listeners.push(listener);

function address() {
  const looking = new URLSearchParams();
  if (state.at) looking.set("at", state.at);
  if (state.by) looking.set("by", state.by);
  if (state.again) looking.set("again", "1");
  return `${base()}fragment/?${looking}`;
}

// Ask for the pad as it is now. Calls that come while one is running are answered by one more.
export function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = ask().finally(() => {
    running = null;
    if (again) {
      again = false;
      // Nobody waits for this one; when it fails, the stream's next greeting asks again.
      refresh().catch(() => {});
    }
  });
  return running;
}

async function ask() {
  const asked = address();
  const headers = tag && tag.address === asked ? { "If-None-Match": tag.value } : {};
  const response = await fetch(asked, { headers, cache: "no-store" });
  if (response.status === 304) return true;
  if (response.status === 404 || response.status === 403) {
    location.reload();
    return false;
  }
  if (!response.ok) return false;
  const html = await response.text();
  if (show(html)) tag = { address: asked, value: response.headers.get("ETag") };
  return true;
}

export function clearTurn() {
  state.at = "";
  state.again = false;
}

// The pad without what this phone has put into it since.
export const restore = () => show(newest, true);

export function show(html, restored = false) {
  const drawn = new DOMParser().parseFromString(html, "text/html").getElementById("pad");
  const here = pad();
  if (!drawn || Number(drawn.dataset.head) < Number(here.dataset.head)) return false;
  if (state.at && drawn.dataset.head !== here.dataset.head) {
    // What this phone turned to belonged to the entry before: the next one opens on its own first question.
    clearTurn();
    refresh().catch(() => {});
    return false;
  }
  newest = html;
  const focused = document.activeElement?.getAttribute("aria-label");
  const before = here.dataset.said;
  const change = { head: Number(drawn.dataset.head) - Number(here.dataset.head), before, html, restored };
  for (const name of drawn.getAttributeNames()) here.setAttribute(name, drawn.getAttribute(name));
  const sheet = document.getElementById("sheet");
  const follows = change.head || (sheet && sheet.scrollHeight - sheet.scrollTop - sheet.clientHeight < 40);
  for (const fresh of [...drawn.children]) {
    const old = document.getElementById(fresh.id);
    if (!old || old.outerHTML === fresh.outerHTML || isHeld(old, fresh)) continue;
    const scrolled = old.scrollTop;
    old.replaceWith(document.adoptNode(fresh));
    fresh.scrollTop = scrolled;
  }
  // Only now everything has its height: keys that are taller than those before leave the sheet less room.
  if (follows) scrollToNew(document.getElementById("sheet"));
  if (focused && document.activeElement === document.body) {
    document.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  for (const listener of listeners) listener(change);
  return true;
}

// A question that is being answered in several steps, or a field with letters in it, stays.
function isHeld(old, fresh) {
  const held = old.querySelector("[data-held][open], input:focus, textarea:focus");
  return Boolean(held) && old.dataset.place === fresh.dataset.place;
}

export function scrollToNew(sheet) {
  const row = sheet?.querySelector(".is-new");
  if (!row) return;
  const there = row.getBoundingClientRect().top - sheet.getBoundingClientRect().top + sheet.scrollTop;
  const visible =
    there >= sheet.scrollTop && there + row.offsetHeight <= sheet.scrollTop + sheet.clientHeight;
  if (!visible) sheet.scrollTop = Math.max(0, there - sheet.clientHeight + 2 * row.offsetHeight);
}
