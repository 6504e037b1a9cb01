// Sends what the outbox holds, in order and with the same id until there is an answer.

import { markRefused } from "./keypad.js";
import { isWaiting, removeTap, saveTap, tapsOf, markUnsent, markSent } from "./outbox.js";
import { now, showAnswer, state } from "./render.js";
import { dropUndoOf, prepareUndoOf } from "./undo.js";

const pad = () => document.getElementById("pad");
const token = () => document.querySelector("#tap [name=csrfmiddlewaretoken]").value;

// The server takes 500 entries and half a megabyte at a time; what waited for a whole evening goes in pieces.
const TAPS_PER_MESSAGE = 100;
const ANSWER_MS = 2000;
const WENT_ON = "both-went-on"; // here and at the table: a person chooses

let busy = false;
let lastAnswered = null; // the tap that was answered last, with the pad as it was then
let answered = Promise.resolve();
let isHurried = false;
let wait = 1000;
let timer = 0;
const reports = {
  refused: () => {},
  waiting: () => {},
  net: () => {},
  lost: () => {},
  apart: () => {},
  answered: () => {},
};

export const setListeners = (listeners) => Object.assign(reports, listeners);

export async function send() {
  if (busy) return;
  busy = true;
  let finish;
  let isHeard = false;
  answered = new Promise((resolve) => (finish = resolve));
  clearTimeout(timer);
  try {
    for (;;) {
      const taps = (await tapsOf(pad().dataset.code)).filter(isWaiting);
      reports.waiting();
      if (!taps.length) break;
      if (taps[0].kind === "undo") await resolveUndo(taps[0]);
      else if (taps[0].kind !== "entry") await sendTaps([taps[0]]);
      else {
        const upTo = taps.findIndex((tap) => tap.kind !== "entry");
        await sendTaps(taps.slice(0, Math.min(upTo < 0 ? taps.length : upTo, TAPS_PER_MESSAGE)));
      }
      isHeard ||= taps[0].kind !== "undo";
      wait = 1000;
    }
    reports.net("", isHeard);
  } catch (fault) {
    reports.net(fault.message);
    if (fault.isLost) reports.lost();
    if (fault.isApart) reports.apart();
    else timer = setTimeout(send, wait);
    wait = Math.min(wait * 2, 15000);
  } finally {
    busy = false;
    finish();
    reports.waiting();
    if (isHurried) sendNow();
  }
}

// Resolves when no tap is under way; after a while in any case, since other phones play on.
export const whenAnswered = () =>
  Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);

// The network is back. A message just failing without it must not wait its turn of up to a quarter of a minute.
export function sendNow() {
  wait = 1000;
  isHurried = busy;
  if (!busy) send();
}

async function post(first, fields) {
  // What goes out while there is network may arrive, even if its answer does not.
  const hadNone = navigator.onLine === false;
  const abort = new AbortController();
  const late = setTimeout(() => abort.abort(), 15000);
  let response;
  try {
    response = await fetch(`/pads/${pad().dataset.code}/tap/`, {
      method: "POST",
      body: new URLSearchParams({ ...fields, by: state.by, at: state.at }),
      headers: { "X-CSRFToken": token(), Accept: "text/vnd.pad" },
      signal: abort.signal,
    });
  } catch {
    if (hadNone) await markUnsent(first);
    throw Object.assign(new Error("No network: kept on this phone"), { isLost: true });
  } finally {
    clearTimeout(late);
  }
  if (response.status === 507) throw new Error("The server has no room left: kept on this phone");
  if (response.status >= 500 || [408, 429].includes(response.status))
    throw new Error("The server is busy: kept on this phone");
  return response;
}

// What happened is said first where several things can; it stands in no log, so nothing of it waits on this phone.
export async function begin(tap) {
  await whenAnswered();
  const asked = now();
  const response = await post([], { tap: tap.id, begin: JSON.stringify(tap.body) });
  const refusal = JSON.parse(response.headers.get("X-Refusal"));
  const html = await response.text();
  if (html.includes('id="pad"')) await showAnswer(html, asked);
  if (!response.ok) throw new Error(refusal?.message ?? "This could not be begun. Try again.");
}

// Whole entries, in order, or one part. The answer is the pad as it is then. Of several entries the first that is
// refused is the last that was judged: those after it may build on it, and are sent again without it.
async function sendTaps(waiting) {
  const { out: taps, first } = await markSent(waiting);
  if (!taps.length) return;
  const fields = await fieldsOf(taps);
  const asked = now();
  const response = await post(first, fields);
  const refusal = JSON.parse(response.headers.get("X-Refusal"));
  if (!response.ok && !refusal) {
    const answer = await response.json().catch(() => null);
    const message = taps[0].kind === "entry" && answer?.error?.message;
    markRefused();
    for (const tap of taps) await setAside(tap, message || wordsFor(response.status));
    return;
  }
  const html = await response.text();
  const isDrawn = html.includes('id="pad"');
  if (!isDrawn && !refusal) throw new Error("No answer from the pad: kept on this phone");
  const refused = refusal && (taps.find((tap) => tap.id === refusal.id) ?? taps[0]);
  for (const tap of refused ? taps.slice(0, taps.indexOf(refused)) : taps) {
    lastAnswered = { tap, html };
    reports.answered(tap);
    await prepareUndoOf(tap, html);
    await removeTap(tap.id);
  }
  if (refusal?.code === WENT_ON) {
    if (isDrawn) await showAnswer(html, asked);
    throw Object.assign(new Error(refusal.message), { isApart: true });
  }
  if (refused) {
    markRefused();
    await dropUndoOf(refused);
  }
  if (isDrawn)
    await showAnswer(html, asked, (await tapsOf(pad().dataset.code)).some(isStillWaiting(refused)));
  if (refused) await refuse(refused, refusal);
}

const isStillWaiting = (refused) => (tap) => isWaiting(tap) && tap.id !== refused?.id;

// A part that was answered in the moment it was taken back is undone all the same; else it never came to be.
async function resolveUndo(undo) {
  if (lastAnswered?.tap.id === undo.body.of) await prepareUndoOf(lastAnswered.tap, lastAnswered.html);
  else await removeTap(undo.id);
}

// Each tap says how old it is, if it is another one than its twin, and what this phone had seen of the table's log.
async function fieldsOf(taps) {
  const marks = JSON.stringify(Object.fromEntries(taps.map((tap) => [tap.id, markOf(tap)])));
  if (taps[0].kind === "entry") return { marks, entries: JSON.stringify(taps.map((tap) => tap.body)) };
  if (taps[0].kind === "begin") return { marks, tap: taps[0].id, begin: JSON.stringify(taps[0].body) };
  await numberPiece(taps[0]);
  return { marks, tap: taps[0].id, part: JSON.stringify(taps[0].body) };
}

const since = (time) => Math.max(0, Date.now() - time);
const markOf = ({ made, another, kind, seen, scored, chosen }) => ({
  age: since(made),
  ...(another && { another }),
  // Parts are compared as the entry they make, which only a phone that scored them knows.
  ...(seen !== undefined &&
    (kind === "entry" || scored) && {
      seen: chosen?.head ?? seen,
      away: since(chosen?.at ?? made),
      ...(scored && !chosen && { scored }),
    }),
});

// How many pieces are picked already, noted before the first try: so that a message sent twice adds one piece.
async function numberPiece(tap) {
  const shown = document.getElementById("keys");
  if (!("add" in tap.body) || "nth" in tap.body || shown.dataset.place !== tap.body.at.join("/")) return;
  const picked = ".picked .piece:not(.piece--empty), .rack__row .block:not(.block--empty)";
  tap.body.nth = document.querySelectorAll(picked).length;
  await saveTap(tap);
}

const wordsFor = (status) =>
  status === 403 || status === 404
    ? "This phone may not enter here any more. Open the pad by its link, then send it again."
    : "The server did not take this. Load the pad again, then send it again.";

// This tap was not judged: the whole message was turned away. It stays on the phone until a person decides.
async function setAside(tap, message) {
  await saveTap({ ...tap, refused: { message, cites: [], unjudged: true } });
}

// A refusal that comes at once is shown where the finger is. One that comes after a time without network, or after both
// lists were compared, is kept and listed, since what was tapped then is forgotten by now.
export async function refuse(tap, error) {
  if (error.ask) await saveTap({ ...tap, asked: error });
  else if (!tap.chosen && Date.now() - tap.made < 5000) {
    await removeTap(tap.id);
    reports.refused(tap, error);
  } else {
    await saveTap({ ...tap, refused: error });
  }
}
