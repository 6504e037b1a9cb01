// The pad's sections as the server draws them. The same fragment makes the first paint and every update;
// only sections that differ are replaced, and never one in which something is half made.

import { fingerUp } from "./finger.js";
import { carryOver } from "./keypad.js";

export const state = { at: "", by: "", again: false };

const pad = () => document.getElementById("pad");
const base = () => `/pads/${pad().dataset.code}/`;
const BUSY_MS = 2000;
let running = null;
let again = false;
let later = 0;
let tag = null;
let newest = pad().outerHTML; // as the table has it
let table = { ...pad().dataset };
let shown = 0; // drawings so far
const listeners = [];

export const onRender = (listener) => listeners.push(listener);

function address() {
  const looking = new URLSearchParams();
  if (state.at) looking.set("at", state.at);
  if (state.by) looking.set("by", state.by);
  if (state.again) looking.set("again", "1");
  return `${base()}fragment/?${looking}`;
}

// The head of the table's log as this phone was told it last.
export const seenHead = () => Number(table.head);

// True while the pad shows what this phone has worked out by itself, and the table does not have yet.
export const isAhead = () => "ahead" in pad().dataset;

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
  const asked = now();
  const headers = tag && tag.address === asked.address ? { "If-None-Match": tag.value } : {};
  const response = await fetch(asked.address, { headers, cache: "no-store" });
  if (response.status === 304) return true;
  if ([403, 404, 410].includes(response.status)) {
    location.reload();
    return false;
  }
  if (!response.ok) {
    // A busy server is asked again: what another phone entered, or what this one turned to, is still to be shown.
    clearTimeout(later);
    later = setTimeout(() => refresh().catch(() => {}), BUSY_MS);
    return false;
  }
  const html = await response.text();
  await fingerUp();
  const drawn = parse(html);
  if (!drawn || isOlder(drawn.dataset, table)) return true;
  // What was entered without network stays in sight until it is sent; then its answer is shown.
  if (isAhead()) remember(drawn, html);
  else if (isUnclear(drawn.dataset, asked)) again = true;
  else if (show(drawn, html)) tag = { address: asked.address, value: response.headers.get("ETag") };
  return true;
}

export function clearTurn() {
  state.at = "";
  state.again = false;
}

// The pad without what this phone has put into it since.
export const restore = () => show(parse(newest), newest, { restored: true });

const parse = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("pad");

// What this phone looks at, and what it has been shown, when it asks for a drawing.
export const now = () => ({ address: address(), at: state.at, by: state.by, shown });

// The answer to a tap. It is shown even where it is unclear: the next tap builds on it. While more of what was entered
// without network waits, this phone's own pad is further.
export async function showAnswer(html, asked, hasMore = false) {
  await fingerUp();
  const drawn = parse(html);
  if (!drawn || isOlder(drawn.dataset, table)) return;
  if (hasMore && isAhead()) {
    remember(drawn, html);
    return;
  }
  const unclear = isUnclear(drawn.dataset, asked);
  show(drawn, html, { own: true });
  if (unclear) refresh().catch(() => {});
}

// The pad as this phone has worked it out without network. False where a question was turned that is answered now.
export async function showOwn(drawn) {
  await fingerUp();
  return show(drawn, "", { own: true, here: true });
}

function remember(drawn, html) {
  newest = html;
  table = { ...drawn.dataset };
}

// Answers may come in another order than they were drawn in, or for a question this phone has turned from.
function isUnclear(drawn, asked) {
  const here = pad().dataset;
  const isOtherDraft = drawn.head === here.head && drawn.draft !== here.draft;
  return asked.at !== state.at || asked.by !== state.by || (asked.shown !== shown && isOtherDraft);
}

const revisionOf = ({ drafted }) => Number(drafted.split(".").at(-1));

function isOlder(one, other) {
  if (one.head !== other.head) return Number(one.head) < Number(other.head);
  if (one.revision !== other.revision) return Number(one.revision) < Number(other.revision);
  return one.draft === other.draft && revisionOf(one) < revisionOf(other);
}

function show(drawn, html, { restored = false, own = false, here: isOwn = false } = {}) {
  const here = pad();
  if ((state.at && drawn.dataset.head !== here.dataset.head) || isAnsweredNow(here, drawn)) {
    // What this phone turned to belonged to the entry before, or another phone has answered it: the next question opens.
    clearTurn();
    if (!isOwn) refresh().catch(() => {});
    return false;
  }
  if (!isOwn) {
    remember(drawn, html);
    delete here.dataset.ahead;
  }
  shown += 1;
  // A tag is of what was shown when it came: an answer to a tap has none.
  tag = null;
  const focused = document.activeElement?.getAttribute("aria-label");
  const before = here.dataset.said;
  const change = {
    head: Number(drawn.dataset.head) - Number(here.dataset.head),
    before,
    html,
    restored: restored || isOwn,
    own,
  };
  for (const name of drawn.getAttributeNames()) here.setAttribute(name, drawn.getAttribute(name));
  const sheet = document.getElementById("sheet");
  const follows = change.head || (sheet && sheet.scrollHeight - sheet.scrollTop - sheet.clientHeight < 40);
  for (const fresh of [...drawn.children]) {
    const old = document.getElementById(fresh.id);
    if (!old || old.outerHTML === fresh.outerHTML || isHeld(old, fresh)) continue;
    const scrolled = old.scrollTop;
    old.replaceWith(document.adoptNode(fresh));
    carryOver(old, fresh);
    // Other keys are shown from their beginning: the question comes first.
    if (old.dataset.panel === fresh.dataset.panel) fresh.scrollTop = scrolled;
  }
  // Only now everything has its height: keys that are taller than those before leave the sheet less room.
  if (follows) scrollToNew(document.getElementById("sheet"));
  if (focused && document.activeElement === document.body) {
    document.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  for (const listener of listeners) listener(change);
  return true;
}

// What was open here and is shown once more, only because this phone turned to it or to another way of answering.
function isAnsweredNow(here, drawn) {
  const [old, fresh] = [here, drawn].map((one) => one.querySelector("#keys").dataset);
  const part = ({ place = "" }) => place.split("/").slice(0, 2).join("/");
  return state.again && part(old) === part(fresh) && !("answered" in old) && "answered" in fresh;
}

// A question that is being answered in several steps, or a field with letters in it, stays.
function isHeld(old, fresh) {
  const held = old.querySelector(
    "[data-held][open], [data-typed]:not([data-sent]), input:not([data-sent]):focus, textarea:focus",
  );
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
