// Sends what the outbox holds, in order and with the same id until there is an answer.

import { drop, keep, kept, setBack, setOut } from "./outbox.js";
import { refresh, show, state } from "./render.js";
import { answered, forget } from "./undo.js";

const pad = () => document.getElementById("pad");
const base = () => `/pads/${pad().dataset.code}/`;
const token = () => document.querySelector("#tap [name=csrfmiddlewaretoken]").value;

// The server takes 500 entries and half a megabyte at a time; what waited for a whole evening goes in pieces.
const PIECE = 100;

let busy = false;
let hurried = false;
let wait = 1000;
let timer = 0;
const reports = { refused: () => {}, waiting: () => {}, net: () => {} };

export const report = (listeners) => Object.assign(reports, listeners);

export async function send() {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  try {
    for (;;) {
      const taps = (await kept(pad().dataset.code)).filter((tap) => !tap.refused);
      reports.waiting();
      if (!taps.length) break;
      if (taps[0].kind === "entry") {
        const upTo = taps.findIndex((tap) => tap.kind !== "entry");
        await sendEntries(taps.slice(0, Math.min(upTo < 0 ? taps.length : upTo, PIECE)));
      } else if (taps[0].kind === "undo")
        await drop(taps[0].id); // what it was to take back never came to be
      else await sendPart(taps[0]);
      wait = 1000;
    }
    reports.net("");
  } catch (fault) {
    reports.net(fault.message);
    timer = setTimeout(send, wait);
    wait = Math.min(wait * 2, 15000);
  } finally {
    busy = false;
    reports.waiting();
    if (hurried) hurry();
  }
}

// The network is back. A message just failing without it must not wait its turn of up to a quarter of a minute.
export function hurry() {
  wait = 1000;
  hurried = busy;
  if (!busy) send();
}

async function post(taps, path, body, type, accept) {
  const abort = new AbortController();
  const late = setTimeout(() => abort.abort(), 15000);
  let response;
  try {
    response = await fetch(base() + path, {
      method: "POST",
      body,
      headers: { "Content-Type": type, "X-CSRFToken": token(), Accept: accept },
      signal: abort.signal,
    });
  } catch {
    if (navigator.onLine === false) await setBack(taps);
    throw new Error("No network: kept on this phone");
  } finally {
    clearTimeout(late);
  }
  if (response.status === 507) throw new Error("The server has no room left: kept on this phone");
  if (response.status >= 500 || [408, 429].includes(response.status))
    throw new Error("The server is busy: kept on this phone");
  return response;
}

async function sendEntries(waiting) {
  const taps = await setOut(waiting);
  if (!taps.length) return;
  const body = JSON.stringify({ entries: taps.map((tap) => tap.body) });
  const response = await post(taps, "entries/", body, "application/json", "application/json");
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    for (const tap of taps) await setAside(tap, answer?.error?.message, response.status);
    return;
  }
  if (!answer?.results?.length) throw new Error("No answer from the pad: kept on this phone");
  const forgotten = [];
  for (const [place, result] of answer.results.entries()) {
    if (forgotten.includes(taps[place].id)) continue;
    if (result.status === "refused") {
      forgotten.push(...(await forget(taps[place])));
      await refuse(taps[place], result.error);
    } else await drop(taps[place].id);
  }
  await refresh();
}

// How many pieces are picked already, noted before the first try: so that a message sent twice adds one piece.
async function number(tap) {
  const shown = document.getElementById("keys");
  if (!("add" in tap.body) || "nth" in tap.body || shown.dataset.place !== tap.body.at.join("/")) return;
  const picked = ".picked .piece:not(.piece--empty), .rack__row .block:not(.block--empty)";
  tap.body.nth = document.querySelectorAll(picked).length;
  await keep(tap);
}

async function sendPart(waiting) {
  const [tap] = await setOut([waiting]);
  if (!tap) return;
  await number(tap);
  const body = new URLSearchParams({ part: JSON.stringify(tap.body), by: state.by, at: state.at });
  const response = await post([tap], "tap/", body, "application/x-www-form-urlencoded", "text/vnd.pad");
  const refusal = response.headers.get("X-Refusal");
  if (!response.ok && !refusal) {
    await setAside(tap, null, response.status);
    return;
  }
  const html = await response.text();
  if (!html.includes('id="pad"')) throw new Error("No answer from the pad: kept on this phone");
  await answered(tap, refusal ? null : html);
  if (!refusal) await drop(tap.id);
  show(html);
  if (refusal) await refuse(tap, JSON.parse(refusal));
}

// Nobody has judged this tap: the whole message was turned away. It stays on the phone until someone decides.
async function setAside(tap, message, status) {
  const says =
    status === 403 || status === 404
      ? "This phone may not enter here any more. Open the pad by its link, then send it again."
      : "The server did not take this. Load the pad again, then send it again.";
  await keep({ ...tap, refused: { message: message ?? says, cites: [], unjudged: true } });
}

// A refusal that comes at once is shown where the finger is. One that comes after a time without network
// is kept and listed, so that nobody has to remember what he tapped.
async function refuse(tap, error) {
  if (Date.now() - tap.made < 5000) {
    await drop(tap.id);
    reports.refused(tap, error);
  } else {
    await keep({ ...tap, refused: error });
  }
}
