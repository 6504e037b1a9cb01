// The strip at the foot of a phone: the place of a tapped line on its page.

const LEAST_HEIGHT = 160;

function strip() {
  const found = document.querySelector(".strip");
  if (found) return found;
  const made = document.createElement("figure");
  made.className = "strip";
  made.innerHTML =
    '<img alt=""><figcaption></figcaption><button class="button button--quiet" type="button">Close</button>';
  made.querySelector("button").addEventListener("click", () => made.remove());
  document.body.append(made);
  return made;
}

export function show(piece) {
  const { l: line, p: passage } = piece.dataset;
  const path = document.querySelector(`.places a[data-p="${passage}"] path[data-l="${line}"]`);
  if (!path) return;
  const sheet = path.closest(".leaf");
  const page = path.ownerSVGElement.viewBox.baseVal;
  const box = path.getBBox();
  const top = Math.max(0, Math.round(box.y - LEAST_HEIGHT / 4));
  const height = Math.min(Math.round(Math.max(box.height * 1.5, LEAST_HEIGHT)), page.height - top);
  const service = sheet.querySelector("a[data-zoom]").dataset.zoom.replace(/\/info\.json$/, "");
  const shown = strip();
  shown.querySelector("img").src = `${service}/0,${top},${page.width},${height}/720,/0/default.jpg`;
  shown.querySelector("img").alt = `The place on page ${line.split(".")[0]}`;
  shown.querySelector("figcaption").textContent = sheet.querySelector("figcaption").textContent.trim();
}
