// A board on a television: nobody is there to touch it, so it asks again by itself for as long as it is shown.

import * as device from "./device.js";

const POLL = 5000; // while the stream is lost
const ANYHOW = 60_000; // a stream may die without a word
const EVENTS = ["hello", "entry", "reset", "pad"];

const board = () => document.getElementById("board");
const net = document.getElementById("net");
let source = null;
let tag = "";
let asking = false;
let again = false;

function say(words) {
  if (net.textContent !== words) net.textContent = words;
}

async function ask() {
  const headers = { "X-Fragment": "board", ...(tag && { "If-None-Match": tag }) };
  const answer = await fetch(location.pathname, { headers, cache: "no-store" });
  if ([403, 404, 410].includes(answer.status)) return say("This pad is not open here any more.");
  if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
  say("");
  if (answer.status === 304) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("board");
  if (!drawn) return;
  tag = answer.headers.get("ETag") ?? "";
  if (drawn.outerHTML !== board().outerHTML) board().replaceWith(document.adoptNode(drawn));
}

// Calls that come while one is running are answered by one more.
async function look() {
  again = asking;
  if (asking) return;
  asking = true;
  try {
    await ask();
  } catch {
    say("No connection. Trying again.");
  }
  asking = false;
  if (again) look();
}

function open() {
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(`/pads/${board().dataset.code}/events?after=${board().dataset.head}`);
  for (const kind of EVENTS) source.addEventListener(kind, look);
}

setInterval(() => {
  if (source?.readyState === EventSource.OPEN) return;
  look();
  open();
}, POLL);
setInterval(() => {
  look();
  device.keepAwake();
}, ANYHOW);
for (const name of ["online", "pageshow"]) window.addEventListener(name, look);
document.addEventListener("visibilitychange", () => document.hidden || look());

device.listen();
device.installWorker();
open();
