// The history beside the keys, on a screen that has room for it: the newest entries, as the server lists them.

import { onRender } from "./render.js";
import { localTimes } from "./times.js";

const pad = () => document.getElementById("pad");
let place = null;
let asked = 0;

async function look() {
  const turn = ++asked;
  const headers = { "X-Fragment": "log" };
  const answer = await fetch(`/pads/${pad().dataset.code}/history/`, { headers, cache: "no-store" });
  // A later question has its own answer; one that fails leaves the list as it was.
  if (!answer.ok || turn !== asked) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".log");
  if (!drawn) return;
  localTimes(drawn);
  place.querySelector(".log")?.remove();
  place.append(document.adoptNode(drawn));
}

export function listen() {
  if (place) return;
  place = document.createElement("aside");
  place.id = "beside";
  place.tabIndex = 0;
  place.setAttribute("aria-label", "History");
  const heading = document.createElement("h2");
  heading.textContent = "History";
  place.append(heading);
  pad().append(place);
  const lookAgain = () => look().catch(() => {});
  onRender((change) => change.head && lookAgain());
  lookAgain();
}
