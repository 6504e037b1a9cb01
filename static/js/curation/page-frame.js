// A page image in a frame: larger and smaller by buttons, keys, wheel and two fingers, moved by scrolling or by
// dragging. Where it is enlarged its tiles make it sharp. What lies over the image goes along.

import { pageTiles } from "./page-tiles.js";

const LARGEST = 8;
const STEP = 1.5;
const DRAGGED = 4;

// `kept` names where the zoom is remembered from page to page; `first` is the zoom to begin with; `drags` says
// that the mouse moves the page.
export function pageFrame(place, { kept = "", first = 1, drags = false } = {}) {
  const view = place.querySelector("[data-view]");
  const stage = place.querySelector("[data-stage]");
  const tiles = pageTiles(view, stage);
  let zoom = 1;
  for (const tools of place.querySelectorAll("[data-zooms]")) tools.hidden = false;

  const whole = () => Math.min(1, view.clientHeight / (stage.offsetHeight / zoom));
  const middle = () => {
    const seen = view.getBoundingClientRect();
    return { clientX: seen.left + seen.width / 2, clientY: seen.top + seen.height / 2 };
  };

  // What is at this point of the window stays there.
  function enlarge(to, { clientX, clientY } = middle()) {
    const before = stage.getBoundingClientRect();
    const [across, down] = [(clientX - before.left) / before.width, (clientY - before.top) / before.height];
    zoom = Math.min(Math.max(to, whole()), LARGEST);
    stage.style.width = `${zoom * 100}%`;
    const after = stage.getBoundingClientRect();
    view.scrollLeft += after.left + across * after.width - clientX;
    view.scrollTop += after.top + down * after.height - clientY;
    if (kept) sessionStorage.setItem(kept, zoom);
    sharpen();
  }
  function sharpen() {
    if (zoom > 1) tiles.draw();
    else tiles.clear();
  }

  const ACTS = {
    in: () => enlarge(zoom * STEP),
    out: () => enlarge(zoom / STEP),
    whole: () => enlarge(whole()),
  };
  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "whole" };
  for (const button of place.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", ACTS[button.dataset.zoom]);
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    ACTS[KEYS[event.key]]();
  });
  view.addEventListener("scroll", () => requestAnimationFrame(sharpen), { passive: true });
  new ResizeObserver(sharpen).observe(view);
  view.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      enlarge(zoom * 2 ** (-event.deltaY / 200), event);
    },
    { passive: false },
  );
  byTwoFingers(view, stage, (factor, at) => enlarge(zoom * factor, at));
  if (drags) byDragging(view);

  // In the middle of the frame: this element of what lies over the image, as far as the page goes.
  function show(element) {
    const box = element?.getBoundingClientRect();
    if (!box?.width) return;
    const seen = view.getBoundingClientRect();
    view.scrollLeft += box.left + box.width / 2 - seen.left - seen.width / 2;
    view.scrollTop += box.top + box.height / 2 - seen.top - seen.height / 2;
  }

  enlarge(Number(kept && sessionStorage.getItem(kept)) || first);
  return { show };
}

function byTwoFingers(view, stage, enlarge) {
  let apart = 0;
  const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  view.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length !== 2 || stage.classList.contains("is-drawing")) return;
      event.preventDefault();
      const [one, other] = event.touches;
      const now = spread(event.touches);
      const at = {
        clientX: (one.clientX + other.clientX) / 2,
        clientY: (one.clientY + other.clientY) / 2,
      };
      if (apart) enlarge(now / apart, at);
      apart = now;
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"]) view.addEventListener(end, () => (apart = 0));
}

// With the mouse; a finger scrolls by itself. A press that has moved the page is no click on it.
function byDragging(view) {
  let held = null;
  let moved = false;
  view.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    held = { x: event.clientX, y: event.clientY, left: view.scrollLeft, top: view.scrollTop };
    moved = false;
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    moved ||= Math.hypot(x, y) > DRAGGED;
    if (moved) view.scrollTo(held.left - x, held.top - y);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (held = null));
  view.addEventListener(
    "click",
    (event) => {
      if (moved) event.stopPropagation();
      moved = false;
    },
    true,
  );
}
