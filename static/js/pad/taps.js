// From a finger to the outbox. Nothing here knows a rule: a key says what it sends, the server says what it means.

import { keep, newTap } from "./outbox.js";
import { refresh, state } from "./swap.js";
import { send } from "./sending.js";

const pad = () => document.getElementById("pad");
let pressed = null;
export const lastPressed = () => pressed;

export function listen(refuse) {
  document.getElementById("tap").addEventListener("submit", (event) => {
    const key = event.submitter;
    if (!key || key.dataset.plain !== undefined) return;
    event.preventDefault();
    pressed = key;
    if (key.getAttribute("aria-disabled") === "true") refuse({ message: key.dataset.refusal, cites: [] });
    else press(key);
  });
  document.addEventListener("click", (event) => {
    const turn = event.target.closest?.("[data-at], [data-by]");
    if (!turn || !pad().contains(turn) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    state.at = turn.dataset.at ?? state.at;
    state.by = turn.dataset.by ?? state.by;
    state.again = true;
    refresh();
  });
}

async function press(key) {
  navigator.vibrate?.(12);
  state.again = false;
  const tap = made(key);
  if (!tap) return;
  if ("add" in tap.body && !key.closest(".letters--held") && !filled(tap.said)) return;
  key.classList.add("is-pending");
  await keep(tap);
  if (tap.kind === "part") expect(tap.body);
  send();
}

// A picked piece lies in its slot at once, with a dotted edge. Where no slot is free the finger was too quick.
function filled(said) {
  const slot = document.querySelector(".piece--empty:not(.is-pending), .block--empty:not(.is-pending)");
  if (!slot) return false;
  slot.classList.add("is-pending");
  slot.title = said;
  return true;
}

function made(key) {
  const code = pad().dataset.code;
  const said = key.getAttribute("aria-label") ?? (key.querySelector(".unseen") ?? key).textContent.trim();
  const body = JSON.parse(key.value);
  if (key.name === "enter") {
    const tap = newTap(code, "entry", body, key.dataset.undo === undefined ? said : key.textContent.trim());
    tap.body = { id: tap.id, ...body };
    return tap;
  }
  if (key.name === "begin") {
    key.dataset.plain = "";
    key.click();
    return null;
  }
  if (key.name === "units") {
    body.put = Number(document.querySelector("input[name=tens]:checked").value) + body.units;
    delete body.units;
  }
  return newTap(code, "part", { ...body, for: pad().dataset.draft, head: Number(pad().dataset.head) }, said);
}

// Without an answer yet, a count stands in its column with a dotted edge, and the next player is asked.
function expect({ at, put }) {
  if (at.length !== 3 || typeof put !== "number") return;
  const column = document.querySelector(`[data-at="${CSS.escape(`${at[0]}/${at[1]}`)}"]`);
  const output = column?.querySelector("output");
  if (!output || output.textContent === String(put)) return;
  output.textContent = put;
  column.classList.add("is-pending");
  column.classList.remove("is-now");
  const open = [...document.querySelectorAll(".counts [data-at]")].find(
    (other) => other.dataset.at.startsWith(`${at[0]}/`) && other.querySelector("output").textContent === "–",
  );
  const question = document.querySelector("#keys h2");
  if (!open || !question) return;
  const name = open.dataset.at.slice(at[0].length + 1);
  open.classList.add("is-now");
  question.textContent = question.textContent.replace(at[1], name);
  for (const key of document.querySelectorAll("#keys .grid [name=part], #keys [name=units]")) {
    const body = JSON.parse(key.value);
    body.at[1] = name;
    key.value = JSON.stringify(body);
    key.classList.remove("is-pending");
    key.setAttribute("aria-label", key.getAttribute("aria-label")?.replace(at[1], name) ?? key.textContent);
  }
}
