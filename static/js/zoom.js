// One page, as large as wanted, in a dialog. OpenSeadragon is loaded on the first call.

let viewer;

function load(address) {
  if (window.OpenSeadragon) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
}

// The viewer writes a style element of its own, which the page's policy forbids, unless one of this name is
// there. Ours is only named so: in a namespace of its own it is no style to any browser.
function standIn() {
  const style = document.createElementNS("urn:tallyroom", "style");
  style.setAttribute("data-openseadragon-mobile-css", "true");
  document.head.append(style);
}

function button(name, path, act) {
  const one = document.createElement("button");
  one.type = "button";
  one.className = "lamp";
  one.setAttribute("aria-label", name);
  one.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  one.addEventListener("click", act);
  return one;
}

function furnish(dialog) {
  const inside = document.createElement("div");
  inside.className = "zoom__in";
  const bar = document.createElement("div");
  bar.className = "zoom__bar";
  const title = document.createElement("p");
  const view = document.createElement("div");
  view.className = "zoom__view";
  const by = (factor) => () => viewer?.viewport.zoomBy(factor).applyConstraints();
  bar.append(
    title,
    button("Larger", "M12 5v14M5 12h14", by(1.5)),
    button("Smaller", "M5 12h14", by(1 / 1.5)),
    button("Whole page", "M5 9V5h4M15 5h4v4M19 15v4h-4M9 19H5v-4", () => viewer?.viewport.goHome()),
    button("Close", "m6 6 12 12M18 6 6 18", () => dialog.close()),
  );
  inside.append(bar, view);
  dialog.append(inside);
  dialog.addEventListener("close", () => {
    viewer?.destroy();
    viewer = undefined;
  });
  return { title, view };
}

// The place we are talking about: of the linked passage, else none.
function place(figure) {
  const paths = figure.querySelectorAll(".places .is-here path, .places__hit");
  let box;
  for (const path of paths) {
    const one = path.getBBox();
    if (!box) box = { left: one.x, top: one.y, right: one.x + one.width, foot: one.y + one.height };
    box.left = Math.min(box.left, one.x);
    box.top = Math.min(box.top, one.y);
    box.right = Math.max(box.right, one.x + one.width);
    box.foot = Math.max(box.foot, one.y + one.height);
  }
  return box;
}

export async function zoom(dialog, link) {
  const figure = link.closest("figure");
  const parts = dialog.querySelector(".zoom__in")
    ? { title: dialog.querySelector(".zoom__bar p"), view: dialog.querySelector(".zoom__view") }
    : furnish(dialog);
  parts.title.textContent = figure.querySelector(".leaf__bar > span").textContent;
  dialog.showModal();
  try {
    await load(dialog.dataset.openseadragon);
  } catch {
    // Without the viewer the plain file still shows the page.
    location.assign(link.href);
    return;
  }
  viewer?.destroy();
  if (!document.querySelector("style[data-openseadragon-mobile-css]")) standIn();
  viewer = window.OpenSeadragon({
    element: parts.view,
    tileSources: link.dataset.zoom,
    showNavigationControl: false,
    gestureSettingsMouse: { clickToZoom: false },
    visibilityRatio: 0.5,
    maxZoomPixelRatio: 2,
    animationTime: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 0.6,
  });
  const box = place(figure);
  viewer.addHandler("open", () => {
    viewer.canvas.setAttribute(
      "aria-label",
      `${parts.title.textContent}, enlarged. Arrows move, plus and minus zoom.`,
    );
    viewer.canvas.focus();
    if (!box) return;
    const rectangle = new window.OpenSeadragon.Rect(
      box.left,
      box.top,
      box.right - box.left,
      box.foot - box.top,
    );
    const here = viewer.viewport.imageToViewportRectangle(rectangle);
    const mark = document.createElement("div");
    mark.className = "zoom__place";
    viewer.addOverlay(mark, here);
    const around = new window.OpenSeadragon.Rect(
      here.x - 0.08,
      here.y - 0.08,
      here.width + 0.16,
      here.height + 0.16,
    );
    viewer.viewport.fitBounds(around);
  });
}
