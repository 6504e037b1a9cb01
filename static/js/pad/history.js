// The slider: the sheet as it was at any moment, drawn by the server.

import { localTimes } from "./times.js";

const slider = document.getElementById("at");
let asked = 0;

slider.addEventListener("input", async () => {
  const mine = ++asked;
  const response = await fetch(`?at=${slider.value}`, { headers: { "X-Fragment": "1" } });
  if (!response.ok || mine !== asked) return;
  const drawn = new DOMParser().parseFromString(await response.text(), "text/html");
  document.getElementById("then").replaceWith(drawn.getElementById("then"));
});

document.querySelector("#slider button").hidden = true;
localTimes();
