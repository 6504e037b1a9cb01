// A finger that bounces is one tap. What counts is when the finger came down, not when a slow phone got to it.
// Which keys collect says the markup; every other key stores something or answers a question.

import { onRender } from "./render.js";

const STORES_MS = 600; // the same key again is a bounce, wherever the pad has gone meanwhile
const COLLECTS_MS = 80; // no thumb is quicker
const APPEARED_MS = 350;
const ENDED_MS = 1000; // the end is read before it is left
const SAME_PLACE = 24; // pixels between two taps of one finger

const pad = () => document.getElementById("pad");
const ended = () => document.querySelector("#keys .ended");
const data = (id) => document.getElementById(id)?.dataset ?? {};
const panel = () => `${ended() ? "ended" : (data("keys").panel ?? "")} ${data("asked").of ?? ""}`;

let last = null; // the tap that counted last
let shown = panel();
let deafUntil = 0;
let hearing = 0;

// Keys that come up under a finger hear nothing until that finger is away.
export function notePanel() {
  const now = panel();
  if (now === shown) return;
  shown = now;
  // The panel before may have been about to hear again: this one has not been seen yet.
  clearTimeout(hearing);
  deafUntil = Infinity;
  pad().dataset.deaf = "";
  // From when it is seen: a slow phone paints late.
  requestAnimationFrame(() => setTimeout(() => hearAfter(now.startsWith("ended") ? ENDED_MS : APPEARED_MS)));
}

function hearAfter(milliseconds) {
  deafUntil = performance.now() + milliseconds;
  clearTimeout(hearing);
  hearing = setTimeout(() => delete pad().dataset.deaf, milliseconds);
}

const isDeaf = (event) => event.timeStamp < deafUntil && Boolean(event.target.closest?.("#keys, #asked"));

// A key pressed by keyboard or by an assistive device has no place of a finger: its own middle serves.
function tapAt(event, key) {
  const box = key.getBoundingClientRect();
  const [x, y] = event.detail
    ? [event.clientX, event.clientY]
    : [box.x + box.width / 2, box.y + box.height / 2];
  return { at: event.timeStamp, x, y, name: key.name, value: key.value || key.dataset.types };
}

const isSameKey = (one, other) =>
  (one.name === other.name && one.value === other.value) ||
  Math.hypot(one.x - other.x, one.y - other.y) < SAME_PLACE;

function isBounce(tap, key) {
  if (!last) return false;
  const since = tap.at - last.at;
  return since <= COLLECTS_MS || (!("collects" in key.dataset) && since < STORES_MS && isSameKey(tap, last));
}

function hear(event) {
  const key = event.target.closest?.("button[form=tap], [data-types]");
  // What the script itself sends on as a plain form was heard before.
  const isPlain = !key || key.dataset.plain !== undefined || !pad().contains(key);
  const tap = isPlain ? null : tapAt(event, key);
  if (!isDeaf(event) && !(tap && isBounce(tap, key))) {
    if (tap) last = tap;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function listen() {
  onRender(notePanel);
  document.addEventListener("click", hear, true);
}
