// A shared pad on a phone with the kit. While there is network a copy of it is kept up to date; without network this
// phone's own Python plays what waits in the outbox after it. The site judges everything again when it is sent.

import { changeTaps, isWaiting, tapsOf } from "../pad/outbox.js";
import { isAhead, onRender, restore, showOwn, state } from "../pad/render.js";
import { refuse } from "../pad/sync.js";
import { copyOf, dropCopy, saveCopy } from "./copies.js";
import { ask, listen as listenToRouter, playShared, python } from "./host.js";
import { fact } from "./store.js";
import { keepUpToDate } from "./update.js";

const KEEP_MS = 200;
const SLOW_MS = 2000;
const STORED = "Stored"; // as the pad says of its last entry
const NOT_YET = "Not at the table yet";

const pad = () => document.getElementById("pad");
const code = pad().dataset.code;
const base = `/pads/${code}/`;
let isLost = false;
let keeping = 0;
let slow = 0;
let shown = ""; // what the drawing in sight was made of
let drawing = Promise.resolve();
let atTable = []; // taps that were answered since the copy was made: those that wait build on them

export function listen() {
  listenToRouter((asked) => (isOfPad(asked.path) ? answer(asked) : ask(asked)));
  onRender(() => isAhead() || keepSoon());
  keepSoon();
  window.addEventListener("offline", warm);
  if (!navigator.onLine) warm();
  keepUpToDate();
}

// Its own pages, and the sentences it cites.
const isOfPad = (path) => path.startsWith(base) || path.startsWith("/books/");

// Python needs a second to start: it is ready when the first tap comes.
const warm = () => fact("kit").then((kit) => kit && python(kit, "shared"));

function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(() => keep().catch(() => {}), KEEP_MS);
}

// While taps wait the copy stays as it was when they were made.
const isQuiet = async () => !(await tapsOf(code)).some(isWaiting);

async function keep() {
  if (!(await isQuiet())) return;
  const kept = await copyOf(code);
  const before = [...atTable];
  const had = kept ? JSON.parse(kept.text).entries : [];
  const response = await fetch(`${base}copy.json?after=${had.length}&seal=${had.at(-1)?.seal ?? ""}`);
  if ([403, 404, 410].includes(response.status)) await dropCopy(code);
  if (!response.ok) return;
  const copy = await response.json();
  copy.entries = [...had.slice(0, copy.after), ...copy.entries];
  const { engine, entries } = copy;
  if (await isQuiet())
    await saveCopy({ code, engine, head: entries.length, at: Date.now(), text: JSON.stringify(copy) });
  // What was answered while this was under way may not be in it.
  if (await isQuiet()) atTable = atTable.filter((tap) => !before.includes(tap));
}

export function lost() {
  isLost = true;
  shown = ""; // from now on it counts as scored here
  draw();
}

export const answered = (tap) => atTable.push(tap);

export function found() {
  isLost = false;
}

// An answer that does not come is no network either.
export function drawAgain() {
  clearTimeout(slow);
  if (isLost) draw();
  else slow = setTimeout(draw, SLOW_MS);
}

export function draw() {
  drawing = drawing.then(drawNow).catch(() => {});
  return drawing;
}

// Those to play: what is taken back before its answer never was.
function toPlay(taps) {
  const undone = new Set(taps.filter((tap) => tap.kind === "undo").map((tap) => tap.body.of));
  return taps.filter((tap) => isWaiting(tap) && tap.kind !== "undo" && !undone.has(tap.id));
}

const known = () => atTable.filter((tap) => tap.kind !== "undo");

const sentOf = ({ id, kind, body, made, another }) => ({
  id,
  kind,
  body,
  age: Math.max(0, Date.now() - made),
  another: Boolean(another),
});

// The pad after these taps; nothing where the phone knows less of the table than they do, or scores otherwise.
async function play(taps, path, headers = {}) {
  const [copy, kit] = [await copyOf(code), await fact("kit")];
  if (!copy || !kit || kit.engine !== copy.engine || taps.some((tap) => !(tap.seen <= copy.head)))
    return null;
  const { host } = location;
  const all = [...known(), ...taps].map(sentOf);
  return playShared({ copy: copy.text, taps: all, path, headers: { ...headers, host } });
}

async function drawNow() {
  const taps = toPlay(await tapsOf(code));
  if (!taps.length) {
    if (isAhead()) restore();
    shown = "";
    return;
  }
  const looking = new URLSearchParams({ at: state.at, by: state.by, ...(state.again && { again: "1" }) });
  const now = `${taps.map((tap) => tap.id)} ${looking}`;
  if (isAhead() && now === shown) return;
  const told = await play(taps, `${base}fragment/?${looking}`);
  if (!told || told.status !== 200) {
    // They are listed as waiting, then.
    if (isAhead()) restore();
    return;
  }
  // What was taken before is taken now; only the newest tap can be refused. Else the site is the judge.
  const last = taps.at(-1);
  if (Object.keys(told.refused).some((id) => id !== last.id)) return;
  await note(taps, told);
  if (await areGone(taps)) return drawNow();
  const isShown = await showOwn(drawn(told));
  // What was answered meanwhile is the table's.
  if (!isShown || (await areGone(taps))) return drawNow();
  shown = now;
  if (last.id in told.refused) await refuse(last, told.refused[last.id]);
}

async function areGone(taps) {
  const here = new Set((await tapsOf(code)).map((tap) => tap.id));
  return taps.some((tap) => !here.has(tap.id));
}

// From now on they are what this phone has scored: the table is not joined to them without a word.
function note(taps, { refused, places }) {
  const scored = isLost ? { scored: true } : {};
  const change = (tap) => {
    const place = places[tap.id];
    const body =
      place === undefined || place === null || "nth" in tap.body ? tap.body : { ...tap.body, nth: place };
    return { ...tap, ...scored, body };
  };
  const changed = taps.filter((tap) => !(tap.id in refused));
  return changeTaps(Object.fromEntries(changed.map((tap) => [tap.id, change])));
}

// Numbers that the table does not have yet are marked.
function drawn({ body, ahead, entries }) {
  const found = new DOMParser().parseFromString(body, "text/html").getElementById("pad");
  found.dataset.ahead = entries.length;
  const own = new Set(ahead.map((number) => `${base}why/${number}/`));
  for (const number of found.querySelectorAll("[data-why]"))
    if (own.has(number.getAttribute("href"))) number.classList.add("is-ahead");
  const state = found.querySelector("#last small")?.lastChild;
  if (entries.length && state?.data.includes(STORED)) state.data = state.data.replace(STORED, NOT_YET);
  return found;
}

// The entries that the waiting taps make, and the taps of one that is not finished.
export async function entriesOf(taps) {
  const played = toPlay(taps);
  const told = await play(played, `${base}fragment/`);
  if (!told || Object.keys(told.refused).length) throw new Error("What waits here does not stand by itself.");
  const isOpen = (tap) => tap.kind !== "entry" && [tap.id, tap.body.for].includes(told.draft);
  return { entries: told.entries, open: told.draft ? played.filter(isOpen) : [] };
}

// A reason, the help or the history, asked for without network.
async function answer(asked) {
  const { path, headers } = asked;
  const told = await play(toPlay(await tapsOf(code)), path, headers);
  if (!told && path.startsWith("/books/")) return ask(asked);
  if (!told) throw new Error("This needs the network.");
  return { ...told, body: new TextEncoder().encode(told.body) };
}
