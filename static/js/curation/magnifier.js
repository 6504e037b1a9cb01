// The row of print at the cursor, enlarged, in the full resolution of the scan. A row that is wider than the
// window follows the word at the cursor.

import { pageTiles } from "./page-tiles.js";

const ROWS_HIGH = 1.6;
const LARGEST = 3;
const MARGIN = 12;
// A row that has room when it is shown so much smaller is shown whole.
const SMALLER = 0.6;
const TEXT = 0;
const X = 1;
const Y = 2;
const W = 3;
const H = 4;

// The words of the page that are still in the line, in their order: the last one that begins before the cursor.
function wordAt({ value, selectionEnd }, words) {
  let [found, from] = [words[0], 0];
  for (const word of words) {
    const start = value.indexOf(word[TEXT], from);
    if (start > selectionEnd) break;
    if (start < 0) continue;
    found = word;
    from = start + word[TEXT].length;
  }
  return found;
}

export function magnifier(strip) {
  const stage = strip.querySelector("[data-stage]");
  const rect = strip.querySelector("rect");
  const width = stage.querySelector("img").getAttribute("width");
  const tiles = pageTiles(strip, stage);
  let shown = "";
  strip.hidden = false;

  // Shows the word at the cursor of a line; `words` are those of the line on the page, with their places.
  return function show(line, words) {
    const word = wordAt(line, words);
    strip.classList.toggle("is-empty", !word);
    if (!word || String(word) === shown) return;
    shown = String(word);
    const row = words.filter((other) => other[Y] === word[Y]);
    const left = Math.min(...row.map((other) => other[X]));
    const long = Math.max(...row.map((other) => other[X] + other[W])) - left;
    const high = Math.min(strip.clientHeight / (word[H] * ROWS_HIGH), LARGEST);
    const whole = (strip.clientWidth - 2 * MARGIN) / long;
    const scale = whole > high * SMALLER ? Math.min(high, whole) : high;
    const fits = scale <= whole;
    stage.style.width = `${width * scale}px`;
    const across = fits ? left + long / 2 : word[X] + word[W] / 2;
    strip.scrollLeft = across * scale - strip.clientWidth / 2;
    strip.scrollTop = (word[Y] + word[H] / 2) * scale - strip.clientHeight / 2;
    for (const [name, at] of Object.entries({ x: X, y: Y, width: W, height: H }))
      rect.setAttribute(name, word[at]);
    tiles.draw();
  };
}
