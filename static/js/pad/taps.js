// From a finger to the outbox. Nothing here knows a rule: a key says what it sends, the server says what it means.

import { isWaiting, saveTap, tapsOf, newTap } from "./outbox.js";
import { hasKit } from "./device.js";
import { clearTurn, isAhead, refresh, restore, seenHead, state } from "./render.js";
import { begin, send } from "./sync.js";
import * as undo from "./undo.js";
import * as keypad from "./keypad.js";

const pad = () => document.getElementById("pad");
const words = (element) => element.textContent.replace(/\s+/g, " ").trim();

let refuse = () => {};

export function listen(showRefusal) {
  refuse = showRefusal;
  document.getElementById("tap").addEventListener("submit", (event) => {
    const key = event.submitter;
    if (!key || key.dataset.plain !== undefined) return;
    event.preventDefault();
    if (key.getAttribute("aria-disabled") === "true")
      showRefusal({ message: key.dataset.refusal, cites: [] });
    else press(key);
  });
  document.addEventListener("click", (event) => {
    const turn = event.target.closest?.("[data-at], [data-by]");
    if (!turn || !pad().contains(turn) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    state.at = turn.dataset.at ?? state.at;
    state.by = turn.dataset.by ?? state.by;
    state.again = true;
    // Without network it is turned to when the next drawing comes, unless this phone draws by itself.
    if (isAhead()) redraw();
    else refresh().catch(() => {});
  });
}

async function press(key) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(12);
  state.again = false;
  try {
    if (await undoesWaiting(key)) return;
  } catch {
    await notKept(key);
    return;
  }
  if (key.name === "begin") {
    key.classList.add("is-pending");
    const tap = newTap(pad().dataset.code, "begin", JSON.parse(key.value), words(key), seenHead());
    if (isAhead()) keepBegin(tap).catch(() => notKept(key));
    else
      begin(tap)
        .catch((fault) =>
          fault.isLost && hasKit() ? keepBegin(tap) : refuse({ message: fault.message, cites: [] }),
        )
        .catch(() => notKept(key));
    return;
  }
  const tap = tapOf(key);
  if (!tap) return;
  if ("add" in tap.body && !key.closest(".letters--held") && !fillSlot(tap.said)) return;
  if (answersTurn(tap.body)) clearTurn();
  key.classList.add("is-pending");
  if (key.dataset.undo === undefined) undo.showInLine(tap);
  try {
    await keep(tap);
  } catch {
    await notKept(key);
    return;
  }
  send();
  if (tap.kind === "part" && !isAhead()) showExpected(tap.body);
}

// What this phone scores by itself builds on what it had seen of the table when the first that waits was tapped, and on
// what was chosen since, where the table had gone on.
async function keep(tap) {
  const waiting = isAhead() ? (await tapsOf(tap.pad)).filter(isWaiting) : [];
  const [chosen] = waiting.flatMap((other) => other.chosen ?? []).sort((one, other) => other.at - one.at);
  const seen = Math.min(tap.seen, ...waiting.map((other) => other.seen ?? tap.seen));
  await saveTap({ ...tap, seen, ...(chosen && { chosen }) });
}

async function notKept(key) {
  key.classList.remove("is-pending");
  if (key.name === "typed") keypad.markRefused();
  undo.showInLine(null);
  refuse({ message: "This tap could not be kept on this phone. Tap it again.", cites: [] });
  await redraw().catch(() => {});
}

// With the kit the phone asks the next question by itself; without it this would wait for nothing.
async function keepBegin(tap) {
  await keep(tap);
  send();
}

// Undo means the finger's last tap. While one waits for its answer, that is not yet the one the server offers.
async function undoesWaiting(key) {
  if (key.name === "undo") {
    await undo.takeBack(key.value, redraw);
    send();
    return true;
  }
  if (key.dataset.undo === undefined) return false;
  if (key.dataset.undo === "back") return false;
  const waiting = await undo.newestWaiting();
  if (!waiting) return key.name === "enter" && undo.isUndone(JSON.parse(key.value));
  await undo.takeBack(waiting.id, redraw);
  send();
  return true;
}

export async function redraw() {
  if (isAhead()) {
    await (await import("../phone/shared.js")).draw();
    return;
  }
  restore();
  for (const tap of await tapsOf(pad().dataset.code)) {
    if (tap.kind !== "part" || !isWaiting(tap)) continue;
    if ("add" in tap.body) fillSlot(tap.said);
    else showExpected(tap.body);
  }
}

// A list takes several taps; anything else put into the place this phone turned to is its answer.
const answersTurn = ({ at, add, drop }) =>
  state.at && at && add === undefined && drop === undefined && `${at.join("/")}/`.startsWith(`${state.at}/`);

// A picked piece lies in its slot at once, with a dotted edge. Where none of them is free the finger was too quick.
function fillSlot(said) {
  const slots = [...document.querySelectorAll(".piece--empty, .block--empty")];
  if (!slots.length) return true;
  const slot = slots.find((one) => !one.classList.contains("is-pending"));
  if (!slot) return false;
  slot.classList.add("is-pending");
  slot.title = said;
  return true;
}

function tapOf(key) {
  const code = pad().dataset.code;
  const said = key.getAttribute("aria-label") ?? words(key.querySelector(".unseen") ?? key);
  const body = JSON.parse(key.value);
  if (key.name === "enter") {
    const tap = newTap(code, "entry", body, said, seenHead());
    tap.body = { id: tap.id, ...body };
    // A correction is undone by another correction: only the key knows which of the two it is.
    tap.undoes = key.dataset.undo === "";
    return tap;
  }
  if (key.name === "units") {
    body.put = Number(document.querySelector("input[name=tens]:checked").value) + body.units;
    delete body.units;
  }
  if (key.name === "typed") {
    if (keypad.isSent()) return null;
    if (keypad.takeRefusedBefore()) {
      const says = "The number before was not taken. Look what is asked, then press Enter again.";
      refuse({ message: says, cites: [] });
      return null;
    }
    if (keypad.isAhead()) {
      refuse({ message: "The next question is not here yet. Your number waits for it.", cites: [] });
      return null;
    }
    body.put = keypad.typedNumber();
    if (body.put === null) {
      refuse({ message: "Type a number, or several to add up: 3+6+2.", cites: [] });
      return null;
    }
    keypad.markSent();
  }
  // Such a key says nothing of the number that it sends.
  const number = [body.at?.length === 3 ? body.at[1] : "", body.put].filter((part) => part !== "").join(": ");
  const { draft, drafted, head } = pad().dataset;
  const seen = Number(drafted.split(".").at(-1));
  const what = key.name === "part" ? said : number;
  return newTap(code, "part", { ...body, for: draft, head: Number(head), seen }, what, seenHead());
}

// Without an answer yet, a count stands in its column with a dotted edge, and the next player is asked.
function showExpected({ at, put }) {
  if (at?.length !== 3 || typeof put !== "number") return;
  const cell = document.querySelector(`.round-grid [data-at="${CSS.escape(at.join("/"))}"]`);
  if (cell) {
    showInGrid(cell, at, put);
    return;
  }
  const column = document.querySelector(`[data-at="${CSS.escape(`${at[0]}/${at[1]}`)}"]`);
  const output = column?.querySelector("output");
  if (!output || words(output) === String(put)) return;
  output.textContent = put;
  column.classList.add("is-pending");
  column.classList.remove("is-now");
  const open = [...document.querySelectorAll(".counts [data-at]")].find(
    (other) => other.dataset.at.startsWith(`${at[0]}/`) && words(other.querySelector("output")) === "–",
  );
  const question = document.querySelector("#keys h2");
  if (!open || !question) return;
  const name = open.dataset.at.slice(at[0].length + 1);
  open.classList.add("is-now");
  askFor(name, at[1]);
}

// In a grid the keys go on to the next player where nobody is open to another question.
function showInGrid(cell, at, put) {
  const output = cell.querySelector("output");
  if (!cell.closest(".is-now") && words(output) === String(put)) return;
  output.textContent = String(put).replace("-", "−");
  cell.classList.add("is-pending");
  cell.closest("td").classList.remove("is-now");
  delete cell.dataset.open;
  const open = [...document.querySelectorAll(".round-grid [data-open]")];
  const names = open.map((one) => one.dataset.at.split("/"));
  if (!open.length || names.some((name) => name[2] !== at[2])) return;
  open[0].closest("td").classList.add("is-now");
  askFor(names[0][1], at[1]);
}

// The question and its keys are for another player now.
function askFor(name, before) {
  keypad.asksNext(name, before);
  const question = document.querySelector("#keys h2");
  question.textContent = question.textContent.replace(before, name);
  for (const key of document.querySelectorAll("#keys .grid [name=part], #keys [name=units]")) {
    const body = JSON.parse(key.value);
    body.at[1] = name;
    key.value = JSON.stringify(body);
    key.classList.remove("is-pending");
    key.setAttribute("aria-label", key.getAttribute("aria-label")?.replace(before, name) ?? words(key));
  }
}
