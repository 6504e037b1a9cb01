// The editor of a leaf by keys: from line to line, the page lit where the eyes are, drafts kept on this device.
// Without this file the form works as it stands.

import { keepDraft } from "./drafts.js";
import { magnifier } from "./magnifier.js";
import { AT_CURSOR, TOOLS, divided, freeName, goesOn, meant, namesIn, nextDoubt, setAs } from "./marks.js";
import { pageFrame } from "./page-frame.js";

const form = document.querySelector("[data-mend]");
const lines = () => [...form.querySelectorAll("textarea[name=line]")];
const layers = form.querySelector("[data-layers]");

for (const shown of form.querySelectorAll("[data-tools], [data-keys]")) shown.hidden = false;

// ---- the page is lit where the line is, and the row at the cursor enlarged ----
const place = form.querySelector("[data-page-frame]");
const frame = place && pageFrame(place, { kept: "leaf-text-zoom", drags: true });
const magnify = place && magnifier(form.querySelector("[data-magnifier]"));
const pathOf = (line) => place?.querySelector(`[data-line="${line.dataset.line}"]`);

function light(line) {
  for (const path of form.querySelectorAll(".mend__lit .is-lit")) path.classList.remove("is-lit");
  const path = pathOf(line);
  path?.classList.add("is-lit");
  frame?.show(path);
}
function enlarge(line) {
  if (line?.name === "line" && line.type === "textarea")
    magnify?.(line, JSON.parse(pathOf(line)?.dataset.words ?? "[]"));
}
enlarge(lines()[0]);
form.addEventListener("focusin", (event) => {
  if (event.target.name === "line" && event.target.type === "textarea") light(event.target);
  enlarge(event.target);
});
for (const moved of ["selectionchange", "input"])
  document.addEventListener(moved, () => enlarge(document.activeElement));
place?.addEventListener("click", (event) => {
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

// ---- marks, within the thumb's reach ----
const tools = form.querySelector("[data-tools]");
let last = null;
form.addEventListener("focusin", (event) => {
  if (event.target.name === "line" && event.target.tagName === "TEXTAREA") last = event.target;
});
// The line keeps its focus, and a phone its keyboard.
tools.addEventListener("mousedown", (event) => {
  if (event.target.closest("button")) event.preventDefault();
});
tools.addEventListener("click", (event) => {
  const mark = event.target.closest("button")?.dataset.mark;
  if (mark) put(mark, last ?? lines()[0]);
});
tools.querySelector("[data-style]").addEventListener("change", (event) => {
  const line = last ?? lines()[0];
  write(line, setAs(line.value, event.target.value));
  event.target.value = "";
});

function put(mark, line) {
  if (mark === "note") return annotate(line);
  if (mark === "next-doubt") return goToDoubt();
  if (mark === "goes-on") return write(line, goesOn(line.value));
  if (mark === "divided") return write(line, divided(line.value));
  const { start, end } = AT_CURSOR.includes(mark)
    ? { start: line.selectionStart, end: line.selectionStart }
    : meant(line);
  const words = line.value.slice(start, end);
  const taken = new Set([...form.dataset.names.split(" "), ...namesIn(lines().map((other) => other.value))]);
  const after =
    line.value
      .slice(start)
      .match(/[\p{L}\p{N} ]+/u)?.[0]
      .trim()
      .split(" ")
      .slice(0, 3)
      .join(" ") ?? "";
  const name = (otherwise) =>
    freeName(mark === "passage" ? after : words, `${otherwise}-${form.dataset.leaf}`, taken);
  const { text, from, to } = TOOLS[mark]({ words, name });
  line.setRangeText(text, start, end);
  line.focus();
  line.setSelectionRange(start + from, start + to);
  line.dispatchEvent(new Event("input", { bubbles: true }));
}
function write(line, text) {
  line.value = text;
  line.focus();
  line.dispatchEvent(new Event("input", { bubbles: true }));
}

// From the cursor on; behind the last one of this page on the next page that has one, then from the top.
function goToDoubt() {
  const all = lines();
  const texts = all.map((line) => line.value);
  const at = last ? all.indexOf(last) : 0;
  const found = nextDoubt(texts, at, last?.selectionEnd ?? 0);
  const further = form.querySelector("[data-next-doubt]");
  if (!found && further) return further.focus();
  const doubt = found ?? nextDoubt(texts, 0, 0);
  if (!doubt) return;
  all[doubt.line].focus();
  all[doubt.line].setSelectionRange(doubt.from, doubt.to);
  all[doubt.line].scrollIntoView({ block: "nearest" });
}

// A note on the word, which says why and how sure we are.
function annotate(line) {
  const { start, end } = meant(line);
  const before =
    lines()
      .slice(0, lines().indexOf(line))
      .map((other) => other.value)
      .join("\n") + line.value.slice(0, start);
  const anchor = before.match(/.*\{#([a-z0-9-]+)/s)?.[1] ?? form.dataset.passage;
  const asked = new URLSearchParams({
    anchor,
    quote: line.value.slice(start, end),
    kind: "gloss",
    certainty: "low",
  });
  open(`${form.dataset.note}?${asked}`, "_blank", "noopener");
}

// Some phones lay the keyboard over the page without telling it; the marks then stand above the keyboard.
const seen = window.visualViewport;
function lift() {
  const under = document.documentElement.clientHeight - seen.height - seen.offsetTop;
  tools.style.setProperty("--under", `${seen.scale > 1.01 ? 0 : Math.max(0, Math.round(under))}px`);
}
seen?.addEventListener("scroll", lift);
seen?.addEventListener("resize", () => {
  lift();
  if (document.activeElement === last) last?.scrollIntoView({ block: "nearest" });
});

// ---- both layers, as one writes ----
let waiting = 0;
async function preview() {
  const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) }).catch(
    () => null,
  );
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
  texts[0].value = values
    .filter((value) => value !== false)
    .map((value) => (value === true ? "" : value))
    .join("\n");
});
