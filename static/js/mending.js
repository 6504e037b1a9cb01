// Mending a leaf by keys: from line to line, the page lit where the eyes are, drafts kept on this device.
// Without this file the form works as it stands.

import { keepDraft } from "./drafts.js";

const form = document.querySelector("[data-mend]");
const lines = () => [...form.querySelectorAll("textarea[name=line]")];
const sheet = form.querySelector("[data-sheet]");
const layers = form.querySelector("[data-layers]");

for (const shown of form.querySelectorAll("[data-tools], [data-keys]")) shown.hidden = false;

// ---- the page is lit where the line is ----
function light(number) {
  for (const path of form.querySelectorAll(".mend__lit .is-lit")) path.classList.remove("is-lit");
  const path = form.querySelector(`.mend__lit [data-line="${number}"]`);
  if (!path || !sheet) return;
  path.classList.add("is-lit");
  const box = path.getBoundingClientRect();
  const frame = sheet.getBoundingClientRect();
  sheet.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
}
form.addEventListener("focusin", (event) => {
  if (event.target.name === "line" && event.target.dataset.line) light(event.target.dataset.line);
});
sheet?.addEventListener("click", (event) => {
  const path = event.target.closest("[data-line]");
  if (path) form.querySelector(`#line-${path.dataset.line}`)?.focus();
});

// ---- keys ----
function go(from, step, atEnd) {
  const all = lines();
  const next = all[all.indexOf(from) + step];
  if (!next) return false;
  next.focus();
  const place = atEnd ? next.value.length : 0;
  next.setSelectionRange(place, place);
  next.scrollIntoView({ block: "nearest" });
  return true;
}
form.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  const line = event.target;
  if (line.name !== "line" || line.tagName !== "TEXTAREA" || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const here = line.selectionStart === line.selectionEnd ? line.selectionStart : -1;
  const moves = {
    Enter: () => go(line, 1, false),
    ArrowDown: () => here === line.value.length && go(line, 1, false),
    ArrowUp: () => here === 0 && go(line, -1, true),
  };
  if (moves[event.key]?.()) event.preventDefault();
});

// ---- marks around what is selected ----
let last = null;
form.addEventListener("focusout", (event) => {
  if (event.target.name === "line") last = event.target;
});
form.querySelector("[data-tools]")?.addEventListener("click", (event) => {
  const tool = event.target.closest("button");
  const line = last ?? lines()[0];
  if (!tool || !line) return;
  const { selectionStart: start, selectionEnd: end } = line;
  line.setRangeText(tool.dataset.before + line.value.slice(start, end) + tool.dataset.after, start, end, "end");
  line.focus();
  line.dispatchEvent(new Event("input", { bubbles: true }));
});

// ---- both layers, as one writes ----
let waiting = 0;
async function preview() {
  const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (!answer?.ok) return;
  const read = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#layers");
  if (!read) return;
  layers.replaceChildren(document.adoptNode(read));
  for (const line of lines()) line.toggleAttribute("aria-invalid", false);
  const bad = read.dataset.row && form.querySelector(`#line-${read.dataset.row}`);
  if (bad) bad.setAttribute("aria-invalid", "true");
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(preview, 500);
});
form.addEventListener("restored", preview);

// ---- nothing is lost ----
keepDraft(form, (name, fields, values) => {
  if (name !== "line") return;
  // The leaf has other lines by now: the whole draft goes into the first line, the rest is emptied.
  const texts = fields.filter((field) => field.type !== "checkbox");
  for (const field of texts) field.value = "";
  texts[0].value = values.filter((value) => value !== false).map((value) => (value === true ? "" : value)).join("\n");
});
