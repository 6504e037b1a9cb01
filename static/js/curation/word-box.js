// A word of a scan gets its place: the same rectangle as that of a note, on a strip of the page.

import { rectangle } from "./region.js";

for (const hint of document.querySelectorAll("[data-scripted]")) hint.hidden = false;
for (const place of document.querySelectorAll("[data-rectangle]")) rectangle(place);
