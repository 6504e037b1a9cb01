// Where this phone and its table both went on: both lists as the site draws them, and a person chooses. Until then, and
// until there is an answer, everything waits in the outbox.

import { hasKit } from "./device.js";
import { element } from "./elements.js";
import { changeTaps, isWaiting, newId, removeTap, replaceTaps, tapsOf } from "./outbox.js";
import { seenHead } from "./render.js";
import { localTimes } from "./times.js";

const code = document.getElementById("pad").dataset.code;
const another = new Set(); // twins that are not the same after all
let dialog = null;
let opening = null;
let mine = null; // what the lists on the screen were made of
let making = null;

const token = () => document.querySelector("#tap [name=csrfmiddlewaretoken]").value;
const says = (words) => (dialog.querySelector("[data-says]").textContent = words);
const AWAY = "No network. Everything stays on this phone; choose again when there is one.";
const SOON = "No network. Your pad is made as soon as there is one.";

const NOT_KEPT = "This phone could not write that down. Nothing is lost; choose again.";
const wordsFor = (fault, choice) =>
  fault instanceof DOMException ? NOT_KEPT : choice === "own" ? SOON : AWAY;

export function compare(send) {
  opening ??= open(send).finally(() => (opening = null));
  return opening;
}

async function open(send) {
  mine = await ownEntries();
  if (!mine.entries.length) return forget(send);
  const answer = await post("compare/", { another: JSON.stringify([...another]) });
  const html = await answer.text();
  const drawn = new DOMParser().parseFromString(html, "text/html").querySelector(".compare");
  if (!answer.ok || !drawn) throw new Error(answer.status);
  // All of them are at the table: their answers were lost.
  if (!drawn.querySelector("[data-id]")) return forget(send);
  dialog ??= made(send);
  dialog.replaceChildren(document.adoptNode(drawn));
  localTimes(dialog);
  if (!dialog.open) dialog.showModal();
}

// What is not finished never counted: it goes on at the table as it is now.
async function forget(send) {
  await replaceTaps(mine.gone, openAfter({ head: seenHead(), at: Date.now() }));
  send();
}

const openAfter = (chosen) =>
  mine.open.map((tap) => ({ ...tap, chosen, body: { ...tap.body, head: undefined } }));

// Whole entries: a phone with the kit knows what its answers have made; without it what is not whole waits on.
async function ownEntries() {
  const taps = (await tapsOf(code)).filter(isWaiting);
  const seen = Math.min(...taps.map((tap) => tap.chosen?.head ?? tap.seen ?? 0));
  if (hasKit() && taps.some((tap) => tap.scored && tap.kind !== "entry")) {
    const { entriesOf } = await import("../phone/shared.js");
    const { entries, open } = await entriesOf(taps).catch(() => ({}));
    const ids = new Set(open?.map((tap) => tap.id));
    const gone = taps.map((tap) => tap.id).filter((id) => !ids.has(id));
    if (entries) return { seen, taps, entries, open, gone };
  }
  const whole = taps.filter((tap) => tap.kind === "entry");
  const open = taps.filter((tap) => tap.kind !== "entry");
  return { seen, taps, entries: whole.map((tap) => tap.body), open, gone: whole.map((tap) => tap.id) };
}

const post = (address, fields, { seen, entries } = mine) =>
  fetch(`/pads/${code}/${address}`, {
    method: "POST",
    body: new URLSearchParams({ seen, entries: JSON.stringify(entries), ...fields }),
    headers: { "X-CSRFToken": token() },
  });

function made(send) {
  const box = element("dialog", "", { id: "compare" });
  box.setAttribute("aria-labelledby", "compare-words");
  box.addEventListener("click", (event) => {
    const { same, another: other, choose } = event.target.closest("button")?.dataset ?? {};
    if (same) another.delete(same);
    if (other) another.add(other);
    if (same || other) open(send).catch((fault) => says(wordsFor(fault)));
    if (choose) decide(choose, send).catch((fault) => says(wordsFor(fault, choose)));
  });
  document.querySelector("main").append(box);
  return box;
}

async function decide(choice, send) {
  const now = Date.now();
  if (choice === "after") await sendAfter(now);
  if (choice === "drop")
    await replaceTaps(mine.gone, [...mine.entries.filter(rowOf).map(asTap), ...mine.open].map(dropped(now)));
  if (choice === "own") {
    const own = { name: newId() + newId(), seen: mine.seen };
    const taps = mine.entries.map((body) => ({ ...asTap(body), own }));
    await replaceTaps(mine.gone, [...taps, ...mine.open.map(dropped(now))]);
    mine.gone.push(...taps.map(({ id }) => id));
    const refused = await makeOwn();
    if (!refused) return;
    await open(send);
    says(`${refused} Choose again.`);
    return;
  }
  dialog.close();
  if (choice !== "later") send();
}

const dropped = (now) => (tap) => ({ ...tap, dropped: now });

// What the table has too is not sent.
async function sendAfter(now) {
  const { head, leftOut } = dialog.querySelector(".compare").dataset;
  const out = new Set(leftOut.split(" "));
  const chosen = { head: Number(head), at: now };
  const entries = mine.entries.filter((body) => !out.has(body.id));
  await replaceTaps(mine.gone, [
    ...entries.map((body) => ({ ...asTap(body), chosen, another: true })),
    ...openAfter(chosen),
  ]);
}

// Where an entry stands in the lists; one that is at the table already stands in none.
const rowOf = ({ id }) => [...dialog.querySelectorAll("[data-id]")].find((one) => one.dataset.id === id);

// An entry as a tap of its own, made when its last answer was.
function asTap(body) {
  const parts = mine.taps.filter((tap) => [tap.id, tap.body.for].includes(body.id));
  const said = rowOf(body)?.querySelector("[data-words]").textContent ?? parts.at(-1)?.said ?? body.type;
  const { made: at } = parts.at(-1) ?? mine.taps.at(-1);
  // Dropped and brought back, it is compared again, however soon that is.
  const own = { scored: true, seen: mine.seen, made: at, refused: null };
  return { id: body.id, pad: code, kind: "entry", body, said, ...own };
}

// The pad of one's own has its name before it is asked for: asked for again it is the same pad. Gives the words of a
// refusal; then the entries wait as before.
export function makeOwn() {
  making ??= askOwn().finally(() => (making = null));
  return making;
}

async function askOwn() {
  const taps = (await tapsOf(code)).filter((tap) => tap.own);
  if (!taps.length) return "";
  const { name, seen } = taps[0].own;
  const answer = await post("own/", { name }, { seen, entries: taps.map((tap) => tap.body) });
  const told = await answer.json();
  if (!answer.ok) {
    await changeTaps(Object.fromEntries(taps.map(({ id }) => [id, ({ own, ...tap }) => tap])));
    return told.error?.message ?? "The site did not take it.";
  }
  for (const tap of taps) await removeTap(tap.id);
  location.assign(told.keep ?? told.pad);
  return "";
}

// Dropped entries are entered again as they were, and compared again.
export async function bringBack(send) {
  const taps = (await tapsOf(code)).filter((tap) => tap.dropped);
  const back = ({ dropped: when, chosen, ...tap }) => tap;
  await changeTaps(Object.fromEntries(taps.map(({ id }) => [id, back])));
  send();
}
