// Tiles of a page image laid over its smaller copy, where it is seen enlarged: its full resolution, and no more
// of it than is in sight.

const MARGIN = 0.25;

export function pageTiles(view, stage) {
  const image = stage.querySelector("img");
  const [width, height] = ["width", "height"].map((side) => Number(image.getAttribute(side)));
  const { tiles: service, tile } = stage.dataset;
  const layer = document.createElement("div");
  layer.className = "page-tiles";
  image.after(layer);
  let scale = 0;
  let drawn = new Set();

  function clear() {
    layer.replaceChildren();
    drawn = new Set();
  }

  function add(column, row) {
    const name = `${column}-${row}`;
    if (drawn.has(name)) return;
    drawn.add(name);
    const step = tile * scale;
    const [x, y] = [column * step, row * step];
    const [w, h] = [Math.min(step, width - x), Math.min(step, height - y)];
    const part = new Image();
    part.alt = "";
    part.draggable = false;
    part.style.left = `${(x / width) * 100}%`;
    part.style.top = `${(y / height) * 100}%`;
    part.style.width = `${(w / width) * 100}%`;
    part.style.height = `${(h / height) * 100}%`;
    part.src = `${service}/${x},${y},${w},${h}/${Math.ceil(w / scale)},${Math.ceil(h / scale)}/0/default.jpg`;
    layer.append(part);
  }

  function draw() {
    const all = stage.getBoundingClientRect();
    const seen = view.getBoundingClientRect();
    if (!all.width || !seen.width) return;
    // One dot of the screen for each of the image, or the next finer tiles that there are.
    const wanted = 2 ** Math.max(0, Math.floor(Math.log2(width / (all.width * devicePixelRatio))));
    if (wanted !== scale) clear();
    scale = wanted;
    const pixel = width / all.width;
    const step = tile * scale;
    const range = (from, long, most) => [
      Math.max(0, Math.floor(((from - long * MARGIN) * pixel) / step)),
      Math.min(Math.ceil(most / step), Math.ceil(((from + long * (1 + MARGIN)) * pixel) / step)),
    ];
    const [left, right] = range(seen.left - all.left, seen.width, width);
    const [top, foot] = range(seen.top - all.top, seen.height, height);
    for (let row = top; row < foot; row += 1)
      for (let column = left; column < right; column += 1) add(column, row);
  }
  return { draw, clear };
}
