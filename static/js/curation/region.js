// A rectangle on the page: dragged with a pointer or a finger, moved and sized by keys. The four numbers are
// what is sent; without scripts they are written by hand.

const SIDES = ["left", "top", "width", "height"];
const MIN_SIDE = 0.5;
// Words on a whole page are small.
const LEAST_WORD = 0.15;
const FIRST = { left: 10, top: 10, width: 30, height: 6 };

const round = (number) => Math.round(number * 100) / 100;
const between = (low, number, high) => Math.min(Math.max(low, number), high);

export function rectangle(place) {
  const stage = place.querySelector("[data-stage]");
  const form = place.closest("form");
  const inputs = Object.fromEntries(SIDES.map((side) => [side, form.elements[side]]));
  const leaf = form.elements.leaf;

  // Another leaf: the form comes back with its page, and with everything that was written.
  leaf.addEventListener("change", () => place.querySelector("[name=act][value=show]").click());
  place.querySelector("[data-clear]").addEventListener("click", () => show(null));
  if (!stage) return;

  const rect = stage.querySelector("svg:last-of-type rect");
  const touch = place.querySelector("[data-draw]");
  const least = "movable" in stage.dataset ? LEAST_WORD : MIN_SIDE;

  function read() {
    const four = Object.fromEntries(SIDES.map((side) => [side, inputs[side].valueAsNumber]));
    return SIDES.every((side) => four[side] >= 0) ? four : null;
  }

  function paint(four) {
    const at = four ?? { left: 0, top: 0, width: 0, height: 0 };
    for (const [name, side] of [
      ["x", "left"],
      ["y", "top"],
      ["width", "width"],
      ["height", "height"],
    ])
      rect.setAttribute(name, at[side]);
  }

  function show(four) {
    for (const side of SIDES) inputs[side].value = four ? round(four[side]) : "";
    if (four) form.elements.drawn.value = stage.dataset.drawn;
    paint(four);
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const side of SIDES) {
    inputs[side].addEventListener("input", () => {
      form.elements.drawn.value = stage.dataset.drawn;
      paint(read());
    });
  }

  // A draft may speak of another leaf; its page is fetched with everything that was written.
  const first = leaf.value;
  form.addEventListener("restored", () =>
    leaf.value === first ? paint(read()) : place.querySelector("[name=act][value=show]").click(),
  );

  // ---- by pointer; a finger scrolls the page unless it was told to draw ----
  let from = null;
  let held = null;
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return {
      x: between(0, ((event.clientX - box.left) / box.width) * 100, 100),
      y: between(0, ((event.clientY - box.top) / box.height) * 100, 100),
    };
  };
  const spanned = (a, b) => ({
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  });
  const draws = (event) =>
    event.button === 0 && (event.pointerType !== "touch" || stage.classList.contains("is-drawing"));

  stage.addEventListener("pointerdown", (event) => {
    // A device may not tell that it has a screen for fingers; the first finger does.
    if (event.pointerType === "touch") place.classList.add("is-touched");
    if (!draws(event)) return;
    from = at(event);
    held = holds(read(), from) ? read() : null;
    stage.setPointerCapture(event.pointerId);
  });
  // On a page with many boxes the rectangle that is there can be taken hold of and moved.
  const holds = (four, point) =>
    four &&
    "movable" in stage.dataset &&
    between(four.left, point.x, four.left + four.width) === point.x &&
    between(four.top, point.y, four.top + four.height) === point.y;
  const drawnTo = (point) =>
    held
      ? {
          ...held,
          left: between(0, held.left + point.x - from.x, 100 - held.width),
          top: between(0, held.top + point.y - from.y, 100 - held.height),
        }
      : spanned(from, point);
  stage.addEventListener("pointermove", (event) => {
    if (from) paint(drawnTo(at(event)));
  });
  stage.addEventListener("pointerup", (event) => {
    if (!from) return;
    const four = drawnTo(at(event));
    const small = Math.abs(at(event).x - from.x) < least && Math.abs(at(event).y - from.y) < least;
    from = null;
    if (small || four.width < least || four.height < least) return paint(read());
    show(four);
    listen(false);
  });
  stage.addEventListener("pointercancel", () => {
    from = null;
    paint(read());
  });

  function listen(drawing) {
    stage.classList.toggle("is-drawing", drawing);
    touch.setAttribute("aria-pressed", String(drawing));
  }
  touch.addEventListener("click", () => listen(!stage.classList.contains("is-drawing")));

  // ---- by keys ----
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  stage.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const four = read();
    if (!four) return show(FIRST);
    const [across, down] = step.map((one) => one * (event.altKey ? 0.1 : 1));
    if (event.shiftKey) {
      four.width = between(least, four.width + across, 100 - four.left);
      four.height = between(least, four.height + down, 100 - four.top);
    } else {
      four.left = between(0, four.left + across, 100 - four.width);
      four.top = between(0, four.top + down, 100 - four.height);
    }
    show(four);
  });
}
