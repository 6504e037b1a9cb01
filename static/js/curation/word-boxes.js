// Every word's box on a page: the rectangle of one word at a time, by pointer and by keys, on a page that can be
// made larger. How large it was and where it stood is kept from word to word.

import { pageFrame } from "./page-frame.js";
import { rectangle } from "./region.js";

const form = document.querySelector("[data-word-boxes]");
const stage = form.querySelector("[data-stage]");

for (const hint of form.querySelectorAll("[data-scripted]")) hint.hidden = false;
rectangle(form.querySelector("[data-rectangle]"));

// The word's box, and the page as large as it was at the word before.
const frame = pageFrame(form.querySelector("[data-page-frame]"), { kept: "word-boxes-zoom", first: 2 });
const drawn = stage.querySelector("svg:not(.wordboxes__all) rect");
const centre = () => frame.show(drawn);
new ResizeObserver(centre).observe(form.querySelector("[data-view]"));

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
