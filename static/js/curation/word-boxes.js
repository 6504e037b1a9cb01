// Every word's box on a page: the rectangle of one word at a time, by pointer and by keys, on a page that can be
// made larger. How large it was and where it stood is kept from word to word.

import { rectangle } from "./region.js";

const form = document.querySelector("[data-word-boxes]");
const frame = form.querySelector("[data-frame]");
const stage = form.querySelector("[data-stage]");
const KEPT = "word-boxes-zoom";

for (const hint of form.querySelectorAll("[data-scripted]")) hint.hidden = false;
rectangle(form.querySelector("[data-rectangle]"));

let zoom = 1;
function enlarge(to) {
  zoom = Math.min(Math.max(to, 1), 6);
  stage.style.width = `${zoom * 100}%`;
  sessionStorage.setItem(KEPT, zoom);
  centre();
}
function centre() {
  const rect = stage.querySelector("svg:not(.wordboxes__all) rect").getBoundingClientRect();
  if (!rect.width) return;
  const seen = frame.getBoundingClientRect();
  frame.scrollLeft += rect.left + rect.width / 2 - seen.left - seen.width / 2;
  frame.scrollTop += rect.top + rect.height / 2 - seen.top - seen.height / 2;
}
for (const key of form.querySelectorAll("[data-zoom]"))
  key.addEventListener("click", () => enlarge(zoom * Number(key.dataset.zoom)));
enlarge(Number(sessionStorage.getItem(KEPT)) || 2);
new ResizeObserver(centre).observe(frame);

stage.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    Enter: () => form.querySelector("[value=keep]")?.click(),
    Delete: () => form.querySelector("[value=away]")?.click(),
    n: () => form.querySelector("[data-skip]")?.click(),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
// The keys work at once on the next word.
stage.focus({ preventScroll: true });
