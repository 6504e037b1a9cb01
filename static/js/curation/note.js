// A note's place by selecting words or by a rectangle on the page, and its Markdown as one writes. The form works without this.

import { keepDraft } from "./drafts.js";
import { pageFrame } from "./page-frame.js";
import { rectangle } from "./region.js";

const form = document.querySelector("[data-note]");
const pick = form.querySelector("[data-pick]");
const field = (name) => form.elements[name];
const reveal = () => {
  for (const shown of form.querySelectorAll("[data-scripted]")) shown.hidden = false;
};

reveal();

rectangle(form.querySelector("[data-rectangle]"));
const stage = form.querySelector("[data-stage]");
if (stage) {
  const frame = pageFrame(form.querySelector("[data-page-frame]"), { kept: "note-zoom" });
  const drawn = stage.querySelector("svg:last-of-type rect");
  frame.show(drawn);
  // A rectangle that is moved by keys stays in sight.
  stage.addEventListener("keyup", () => frame.show(drawn));
}

// ---- select words: they become the quote, with just enough around them to stand once ----
const close = (text) => text.replace(/\s+/g, " ");

function around(whole, start, end) {
  const quote = whole.slice(start, end);
  const times = (text) => whole.split(text).length - 1;
  let [from, to] = [start, end];
  while (times(whole.slice(from, to)) > 1 && (from > 0 || to < whole.length)) {
    from = Math.max(0, whole.lastIndexOf(" ", from - 2) + 1);
    if (times(whole.slice(from, to)) > 1) {
      const next = whole.indexOf(" ", to + 1);
      to = next < 0 ? whole.length : next;
    }
  }
  return { prefix: whole.slice(from, start), quote, suffix: whole.slice(end, to) };
}

function take() {
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed) return;
  const range = chosen.getRangeAt(0);
  const block = range.commonAncestorContainer.parentElement?.closest("[data-layer]");
  if (!block || !pick.contains(block)) return;
  const before = document.createRange();
  before.setStart(block, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const raw = range.toString();
  const lead = raw.length - raw.trimStart().length;
  const start = close(before.toString() + raw.slice(0, lead)).length;
  const quote = close(raw.trim());
  const place = around(close(block.textContent), start, start + quote.length);
  for (const name of ["prefix", "quote", "suffix"]) field(name).value = place[name];
  field("layer").value = block.dataset.layer;
}
pick.addEventListener("pointerup", () => setTimeout(take));
pick.addEventListener("keyup", take);
document.addEventListener("selectionchange", () => getSelection().anchorNode && take());

// ---- another passage: its text is shown as soon as it is named ----
let [shown, asking] = [field("anchor").value.trim(), 0];
async function showPassage() {
  const passage = field("anchor").value.trim();
  if (passage === shown) return;
  shown = passage;
  const asked = new URLSearchParams({ passage });
  if (field("proposal")) asked.set("proposal", field("proposal").value);
  const answer = await fetch(`${form.dataset.passages}?${asked}`).catch(() => null);
  const read =
    answer?.ok &&
    new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-pick]");
  if (!read || passage !== shown) return;
  pick.replaceChildren(...[...read.childNodes].map((node) => document.adoptNode(node)));
  reveal();
}
field("anchor").addEventListener("input", () => {
  clearTimeout(asking);
  asking = setTimeout(showPassage, 300);
});
form.addEventListener("restored", showPassage);

// ---- the note as it will be shown ----
let waiting = 0;
async function preview() {
  const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) }).catch(
    () => null,
  );
  if (!answer?.ok) return;
  const read = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#markdown");
  if (read) form.querySelector("[data-markdown]").replaceChildren(document.adoptNode(read));
}
field("body").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(preview, 400);
});
form.addEventListener("restored", preview);

keepDraft(form);
