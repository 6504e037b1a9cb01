// Undo takes back what this phone's finger did last, whether it is stored, under way or not sent yet.

import { markTakenBack } from "./keypad.js";
import { isAhead } from "./render.js";
import { isWaiting, removeTap, saveTap, tapsOf, newTap, takeUnsent } from "./outbox.js";

const code = () => document.getElementById("pad").dataset.code;
const isUndo = (tap) => tap.kind === "undo" || tap.body.type === "void" || tap.undoes;
let stored = null; // the line as the server drew it, while another stands in its place

let lastShown = null;

// The newest tap that waits and is not taken back already.
function newest(taps) {
  const waiting = taps.filter(isWaiting);
  const undone = (tap, place) =>
    waiting.slice(place).some((later) => isUndo(later) && [tap.id, tap.body.of].includes(later.body.of));
  return waiting.findLast((tap, place) => !isUndo(tap) && !undone(tap, place));
}

export const newestWaiting = async () => newest(await tapsOf(code()));

// The line above the keys says what Undo would take back; here it is a tap that has no answer yet.
export async function updateLine() {
  showInLine(isAhead() ? null : await newestWaiting());
}

export function showInLine(tap) {
  const line = document.getElementById("last");
  if (tap) lastShown = tap;
  if (!tap) {
    if (line.dataset.waits && stored) line.replaceWith(stored);
    stored = null;
    return;
  }
  if (line.dataset.waits === tap.id) return;
  if (!line.dataset.waits) stored = line;
  const ours = line.cloneNode(false);
  ours.dataset.waits = tap.id;
  const words = document.createElement("p");
  const [what, how] = [document.createElement("span"), document.createElement("small")];
  what.textContent = tap.said;
  how.textContent = "No answer yet";
  words.append(what, how);
  const key = Object.assign(document.createElement("button"), {
    name: "undo",
    value: tap.id,
    textContent: "Undo",
  });
  key.setAttribute("form", "tap");
  const arrow = stored?.querySelector("[data-undo] svg");
  if (arrow) key.prepend(arrow.cloneNode(true));
  const beside = document.createElement("span");
  beside.append(key);
  ours.append(words, beside);
  line.replaceWith(ours);
}

// A tap that never left is removed. One under way, or stored in this moment, is followed by its own undoing.
export async function takeBack(id, redraw) {
  const found = await takeUnsent(id);
  if (found?.body.at) markTakenBack(found.body.at);
  if (found && !found.sent) {
    await redraw();
    return updateLine();
  }
  const tap = found ?? (lastShown?.id === id ? lastShown : null);
  // A change is undone by what stood before it, which only the server knows.
  if (tap?.kind === "entry" && tap.body.type !== "amend")
    await saveTap(undoing({ type: "void", of: id }, tap));
  else if (tap) await saveTap(undoTap("undo", { of: id }, tap));
  await updateLine();
}

// What was chosen where the table had gone on holds for it too.
const undoTap = (kind, body, { said, seen, chosen }) => ({
  ...newTap(code(), kind, body, `Undo: ${said}`, seen),
  ...(chosen && { chosen }),
});

function undoing(body, tap) {
  const made = undoTap("entry", body, tap);
  made.body = { id: made.id, ...body };
  return made;
}

// Undo twice for the same entry is one undo.
export async function isUndone(body) {
  return (await tapsOf(code())).some((tap) => isWaiting(tap) && isUndo(tap) && tap.body.of === body.of);
}

// A part or a change is answered with a fresh pad, whose own Undo takes it back: now it is known what to send.
export async function prepareUndoOf(tap, html) {
  for (const undo of (await tapsOf(code())).filter(
    (other) => other.kind === "undo" && other.body.of === tap.id,
  )) {
    const drawn = new DOMParser().parseFromString(html, "text/html");
    const key = drawn.querySelector("#last [data-undo]:not([data-undo=back])");
    if (!key) {
      await removeTap(undo.id);
      continue;
    }
    const body = JSON.parse(key.value);
    const seen = drawn.getElementById("pad").dataset;
    if (key.name === "enter") await saveTap({ ...undo, kind: "entry", body: { id: undo.id, ...body } });
    else
      await saveTap({ ...undo, kind: "part", body: { ...body, for: seen.draft, head: Number(seen.head) } });
  }
}

// What was refused needs no undoing.
export async function dropUndoOf(tap) {
  const undoings = (await tapsOf(code())).filter((other) => isUndo(other) && other.body.of === tap.id);
  for (const undo of undoings) await removeTap(undo.id);
}
