// The book page: the text and its page light each other up, notes open, the switch needs no reload.
// Everything here has a plain way without it.

const text = document.querySelector(".text");
const wide = matchMedia("(min-width: 60.01rem)");

// ---- source text, reading text, differences; all notes, questions, none: the address keeps the choice ----
function choose(name, link) {
  text.dataset[name] = link.dataset[name];
  for (const other of link.parentNode.querySelectorAll("a")) other.toggleAttribute("aria-current", false);
  link.setAttribute("aria-current", "true");
  const address = new URL(location);
  address.searchParams.set(name, link.dataset[name]);
  history.replaceState(history.state, "", address);
}
for (const bar of document.querySelectorAll("[data-switch], [data-note-switch]")) {
  const name = bar.matches("[data-switch]") ? "view" : "notes";
  bar.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    choose(name, link);
    if (name === "notes") localStorage.setItem("notes", link.dataset.notes);
  });
}
// What the reader chose before holds until the address says otherwise.
const remembered = localStorage.getItem("notes");
const wanted =
  remembered && document.querySelector(`[data-note-switch] a[data-notes="${CSS.escape(remembered)}"]`);
if (wanted && !new URL(location).searchParams.has("notes")) choose("notes", wanted);

// ---- the drawer of contents closes when it has led somewhere, and says where we are ----
const drawer = document.querySelector(".contents details");
drawer?.addEventListener("click", (event) => {
  if (event.target.closest("a")) drawer.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !drawer?.open) return;
  drawer.open = false;
  drawer.querySelector("summary").focus();
});
const entries = [...document.querySelectorAll(".contents a[href^='#']")];
const places = entries.map((entry) => document.getElementById(entry.hash.slice(1)));
function markPlace() {
  const passed = places.findLastIndex((place) => place && place.getBoundingClientRect().top < 160);
  for (const entry of entries) entry.toggleAttribute("aria-current", false);
  entries[passed]?.setAttribute("aria-current", "true");
  document.querySelector("[data-here]").textContent = entries[passed]?.textContent ?? "";
}
if (entries.length) {
  let asked = false;
  addEventListener(
    "scroll",
    () => {
      if (!asked) requestAnimationFrame(() => ((asked = false), markPlace()));
      asked = true;
    },
    { passive: true },
  );
  markPlace();
}

// ---- what is copied is the words alone: no signs, no notes, of two layers the reading text ----
const plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
function wordsOf(node) {
  const rows = [...node.querySelectorAll("tr")];
  const inRows = () => rows.map((row) => [...row.cells].map(plain).join("\t")).join("\n");
  return rows.length ? inRows() : plain(node);
}
text?.addEventListener("copy", (event) => {
  const chosen = getSelection();
  const inNote = chosen.anchorNode?.parentElement?.closest(".note");
  if (!chosen.rangeCount || inNote) return;
  const part = chosen.getRangeAt(0).cloneContents();
  const isSource = text.dataset.view === "printed";
  const other = isSource ? ".mend ins, .gap, .only-reading" : ".mend del, .only-printed, .hy";
  const away = part.querySelectorAll(`.note, .ref, .own, .leaf, ${other}`);
  if (!part.querySelector(".p")) return;
  for (const one of away) one.remove();
  const blocks = [...part.querySelectorAll(".para__text")];
  const words = (blocks.length ? blocks : [part]).map(wordsOf).filter(Boolean);
  event.clipboardData.setData("text/plain", words.join("\n\n"));
  event.preventDefault();
});

// ---- point at a line and its place on the page lights up, and the other way round ----
function light(selector) {
  for (const lit of document.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
  if (!selector) return;
  for (const one of document.querySelectorAll(selector)) one.classList.add("is-lit");
}
const line = (at, passage) =>
  `.p[data-l="${at}"][data-p="${passage}"], a[data-p="${passage}"] path[data-l="${at}"]`;
const whole = (passage) => `.p[data-p="${passage}"], .places a[data-p="${passage}"] path[data-l]`;

const rectangle = (note) => `.places__note[data-n="${note}"] path, .note:has(#note-${CSS.escape(note)})`;
const noteOf = (element) =>
  element.closest(".note")?.querySelector(".note__body").id.slice(5) ??
  element.closest(".places__note")?.dataset.n ??
  element.closest("a[href^='#note-']")?.getAttribute("href").slice(6);

function pointedAt(event) {
  const note = event.target.closest && noteOf(event.target);
  if (note) return light(rectangle(note));
  const piece = event.target.closest?.(".p");
  if (piece) return light(line(piece.dataset.l, piece.dataset.p));
  const path = event.target.closest?.(".places path[data-l]");
  if (path) return light(line(path.dataset.l, path.parentNode.dataset.p));
  light("");
}
function focused(event) {
  const note = noteOf(event.target);
  if (note) return light(rectangle(note));
  const link = event.target.closest?.("[data-to], .places a");
  light(link ? whole(link.dataset.to ?? link.dataset.p) : "");
}
text?.addEventListener("pointerover", pointedAt);
text?.addEventListener("pointerleave", () => light(""));
text?.addEventListener("focusin", focused);
text?.addEventListener("focusout", () => light(""));

// ---- the places of one page are one stop for the Tab key; arrows go from place to place ----
for (const places of document.querySelectorAll(".places")) {
  const links = [...places.querySelectorAll("a")];
  const stop = (chosen) =>
    links.forEach((link) => link.setAttribute("tabindex", link === chosen ? "0" : "-1"));
  stop(links[0]);
  places.addEventListener("focusin", (event) => stop(event.target.closest("a")));
  places.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const next = step && links[links.indexOf(document.activeElement) + step];
    if (!step) return;
    event.preventDefault();
    next?.focus();
  });
}

// ---- where we are: every piece of the linked passage, in the text and on the page ----
function arrive() {
  for (const here of document.querySelectorAll(".is-here")) here.classList.remove("is-here");
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name && document.getElementById(name);
  if (!target) return;
  const note = target.closest(".note");
  if (note) note.open = true;
  const spoken = document.querySelector(`.places__note[data-n="${name.replace(/^note-/, "")}"]`);
  spoken?.classList.add("is-here");
  const passage = (target.closest(".p") ?? target).dataset.p;
  if (!passage) return;
  for (const piece of document.querySelectorAll(`.p[data-p="${passage}"], .places a[data-p="${passage}"]`)) {
    piece.classList.add("is-here");
    for (const note of piece.closest(".para")?.querySelectorAll(".note--question") ?? [])
      note.open ||= wide.matches;
  }
}
addEventListener("hashchange", arrive);
arrive();

// ---- notes stand open where there is room; elsewhere a sign opens its note ----
const folds = document.querySelectorAll(".note");
function unfold() {
  if (wide.matches) for (const fold of folds) fold.open ||= !fold.classList.contains("note--fold");
}
// Where notes are closed, an opened one shows its rectangle for as long as it is open.
text?.addEventListener(
  "toggle",
  (event) => {
    const note = event.target.matches(".note") && noteOf(event.target);
    const place = note ? document.querySelector(`.places__note[data-n="${note}"]`) : null;
    if (!wide.matches) place?.classList.toggle("is-here", event.target.open);
  },
  true,
);
wide.addEventListener("change", unfold);
unfold();
document.addEventListener("click", (event) => {
  const sign = event.target.closest("a[href^='#note-']");
  const note = sign && document.getElementById(sign.getAttribute("href").slice(1))?.closest(".note");
  if (note) note.open = true;
});

// ---- on a phone a tapped line shows its place on the page in a strip; loaded when first wanted ----
text?.addEventListener("click", async (event) => {
  const piece = event.target.closest(".p");
  if (wide.matches || !piece || event.target.closest("a") || !getSelection().isCollapsed) return;
  const { show } = await import(text.dataset.strip);
  show(piece);
});

// ---- zoom: nothing of it is loaded before it is wanted ----
const dialog = document.querySelector("dialog.zoom");
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-zoom]");
  if (!link || !dialog || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const { zoom } = await import(dialog.dataset.zoomer);
  zoom(dialog, link);
});

// ---- copy a citation ----
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}
