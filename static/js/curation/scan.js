// Choosing the steps of a scan by hand: edges and fold are dragged on the picture or moved by keys, and the page
// is shown as it would be cut. The numbers in the form are the truth; without this file they are typed.

import { movedEdge, ownFrame, canvasSize, turnedSize, canvasTransform } from "./scan-frame.js";

const form = document.querySelector("[data-scan]");
const fields = form.elements;
const picture = form.querySelector("[data-picture]");
const over = form.querySelector("[data-over]");
const canvas = form.querySelector("[data-canvas]");
const result = form.querySelector("[data-result]");
const said = form.querySelector("[data-said]");
const range = form.querySelector("[data-angle]");
const foldRange = form.querySelector("[data-fold-range]");
const SVG = "http://www.w3.org/2000/svg";
const EDGES = { left: "Left edge", top: "Upper edge", right: "Right edge", bottom: "Lower edge" };
const TOUCH = 22;

const whole = { width: Number(form.dataset.width), height: Number(form.dataset.height) };
const number = (name) => Number(fields[name].value) || 0;
const steps = () => ({
  turns: Number(fields.turns.value),
  angle: number("angle"),
  split: number("split"),
  part: form.dataset.part,
  left: number("left"),
  top: number("top"),
  right: number("right"),
  bottom: number("bottom"),
  tone: fields.tone.value,
});

for (const shown of form.querySelectorAll("[data-scripted]")) shown.hidden = false;
range.hidden = false;
if (foldRange) foldRange.hidden = false;

// ---- handles ----
function addHandle(name, kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  made.dataset.hold = name;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  canvas.append(made);
  return made;
}
const sliders = { ...EDGES, ...(form.querySelector("[data-fold]") ? { split: "Fold" } : {}) };
const grips = {};
for (const [name, label] of Object.entries(sliders)) {
  grips[name] = {
    line: addHandle(name, "line", { class: "scan__reach", "aria-hidden": "true" }),
    grip: addHandle(name, "rect", {
      class: `scan__grip scan__grip--${name === "left" || name === "right" || name === "split" ? "across" : "along"}`,
      role: "slider",
      tabindex: "0",
      "aria-label": `${label}, in per cent`,
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-orientation": name === "top" || name === "bottom" ? "vertical" : "horizontal",
    }),
  };
}

// ---- drawing ----
function draw() {
  const now = steps();
  const turned = turnedSize(whole, now.turns);
  const size = canvasSize(whole, now);
  const frame = ownFrame(now);
  over.setAttribute("viewBox", `0 0 ${turned.width} ${turned.height}`);
  canvas.setAttribute("transform", canvasTransform(turned, size, now.angle));
  const x = (size.width * frame.left) / 100,
    y = (size.height * frame.top) / 100;
  const w = Math.max((size.width * (frame.right - frame.left)) / 100, 0),
    h = Math.max((size.height * (frame.bottom - frame.top)) / 100, 0);
  const { width, height } = size;
  form
    .querySelector("[data-shade]")
    .setAttribute("d", `M${width} ${height}h-${width}v-${height}h${width}zM${x} ${y}v${h}h${w}v-${h}z`);
  const box = form.querySelector("[data-frame]");
  for (const [key, value] of Object.entries({ x, y, width: w, height: h })) box.setAttribute(key, value);
  const fold = (width * now.split) / 100;
  const line = form.querySelector("[data-fold]");
  if (line)
    for (const [key, value] of Object.entries({ x1: fold, x2: fold, y1: 0, y2: height }))
      line.setAttribute(key, value);
  // One pixel of the screen, in pixels of the picture: what one holds is as large on every screen.
  const pixel = turned.width / Math.max(over.clientWidth, 1);
  const middles = {
    left: [x, y + h / 2],
    right: [x + w, y + h / 2],
    top: [x + w / 2, y],
    bottom: [x + w / 2, y + h],
    split: [fold, height * 0.5],
  };
  for (const [name, { line: reach, grip }] of Object.entries(grips)) {
    const [cx, cy] = middles[name];
    const upright = name === "left" || name === "right" || name === "split";
    const long = 40 * pixel,
      wide = 10 * pixel;
    const rect = upright
      ? { x: cx - wide / 2, y: cy - long / 2, width: wide, height: long }
      : { x: cx - long / 2, y: cy - wide / 2, width: long, height: wide };
    for (const [key, value] of Object.entries({ ...rect, rx: wide / 2 })) grip.setAttribute(key, value);
    grip.setAttribute("aria-valuenow", now[name]);
    const ends = upright
      ? { x1: cx, x2: cx, y1: name === "split" ? 0 : y, y2: name === "split" ? height : y + h }
      : { x1: x, x2: x + w, y1: cy, y2: cy };
    for (const [key, value] of Object.entries(ends)) reach.setAttribute(key, value);
    reach.setAttribute("stroke-width", 2 * TOUCH * pixel);
  }
  range.value = now.angle;
  if (foldRange) foldRange.value = now.split;
}

// ---- the preview, one request at a time ----
let waiting = 0,
  busy = false,
  again = false;
function loadPreview() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  const query = new URLSearchParams(Object.entries(steps()).filter(([name]) => name !== "part"));
  result.src = `${form.dataset.after}?${query}`;
}
async function showPreview(loaded) {
  if (loaded) {
    result.width = result.naturalWidth;
    result.height = result.naturalHeight;
  }
  // Why there is no picture is said by the same address, in words.
  const answer = loaded ? null : await fetch(result.src).catch(() => null);
  said.textContent = loaded
    ? ""
    : answer?.status === 422
      ? await answer.text()
      : "The site does not answer; what is in the form stays.";
  busy = false;
  if (again) {
    again = false;
    loadPreview();
  }
}
result.addEventListener("load", () => showPreview(true));
result.addEventListener("error", () => showPreview(false));
function update() {
  draw();
  clearTimeout(waiting);
  waiting = setTimeout(loadPreview, 250);
}
const PART = form.dataset.part;
function setEdge(name, value) {
  const low =
    { right: number("left") + 2, bottom: number("top") + 2, split: PART === "left" ? number("left") + 2 : 0 }[
      name
    ] ?? 0;
  const high =
    {
      left: number("right") - 2,
      top: number("bottom") - 2,
      split: PART === "right" ? number("right") - 2 : 100,
    }[name] ?? 100;
  fields[name].value = Math.min(Math.max(value, low), high).toFixed(1);
  if (name === "split") moveInnerEdge();
  update();
}
let fold = number("split");
function moveInnerEdge() {
  const moved = movedEdge({ ...steps(), split: fold }, number("split"));
  for (const [name, value] of Object.entries(moved)) fields[name].value = value.toFixed(1);
  fold = number("split");
}

// ---- by pointer ----
over.addEventListener("pointerdown", (event) => {
  const name = event.target.dataset.hold;
  if (!name) return;
  event.preventDefault();
  grips[name].grip.focus({ preventScroll: true });
  over.setPointerCapture(event.pointerId);
  const move = (moved) => {
    const at = new DOMPoint(moved.clientX, moved.clientY).matrixTransform(canvas.getScreenCTM().inverse());
    const size = canvasSize(whole, steps());
    setEdge(
      name,
      name === "top" || name === "bottom" ? (100 * at.y) / size.height : (100 * at.x) / size.width,
    );
  };
  const done = () => {
    over.removeEventListener("pointermove", move);
    over.removeEventListener("pointerup", done);
    over.removeEventListener("pointercancel", done);
  };
  over.addEventListener("pointermove", move);
  over.addEventListener("pointerup", done);
  over.addEventListener("pointercancel", done);
});

// ---- by keys ----
over.addEventListener("keydown", (event) => {
  const name = event.target.dataset.hold;
  const by = { ArrowLeft: -0.1, ArrowUp: -0.1, ArrowRight: 0.1, ArrowDown: 0.1, PageUp: -5, PageDown: 5 }[
    event.key
  ];
  if (!name || !by || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  setEdge(name, number(name) + by * (event.shiftKey ? 10 : 1));
});

// ---- by form ----
let turns = steps().turns;
form.addEventListener("input", (event) => {
  if (event.target === range) fields.angle.value = range.value;
  if (event.target === foldRange) setEdge("split", Number(foldRange.value));
  if (event.target.name === "split") moveInnerEdge();
  if (event.target.name === "turns") turnFrame();
  if (
    event.target === range ||
    ["turns", "tone", "angle", "split", "left", "top", "right", "bottom"].includes(event.target.name)
  )
    update();
});

// The frame turns with the picture.
function turnFrame() {
  const now = steps();
  for (let left = (now.turns - turns + 4) % 4; left; left -= 1) {
    const { left: l, top: t, right: r, bottom: b } = steps();
    Object.entries({ left: 100 - b, top: l, right: 100 - t, bottom: r }).forEach(
      ([name, value]) => (fields[name].value = value.toFixed(1)),
    );
  }
  turns = now.turns;
  const size = turnedSize(whole, turns);
  picture.width = size.width;
  picture.height = size.height;
  picture.src = `${form.dataset.before}?turns=${turns}`;
}

new ResizeObserver(draw).observe(over);
draw();

// ---- the search for words, while it runs ----
const words = form.querySelector("[data-words-at]");
async function pollWords() {
  const answer = await fetch(words.dataset.wordsAt).catch(() => null);
  const found =
    answer?.ok &&
    new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-words]");
  if (found && !("looking" in found.dataset)) words.replaceChildren(document.adoptNode(found));
  else setTimeout(pollWords, 1500);
}
if (words?.querySelector("[data-looking]")) setTimeout(pollWords, 1000);
form.dataset.ready = "";
