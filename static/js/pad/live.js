// Other phones' entries. A stream tells that something happened, the fragment says what; where streams fail,
// asking every five seconds takes over.

import { refresh } from "./render.js";

const POLL = 5000;
let source = null;
let polling = 0;
let failures = 0;

const pad = () => document.getElementById("pad").dataset;

function open() {
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(`/pads/${pad().code}/events?after=${pad().head}`);
  source.addEventListener("open", () => {
    failures = 0;
    clearInterval(polling);
    polling = 0;
  });
  source.addEventListener("hello", (event) => {
    if (JSON.parse(event.data).head !== Number(pad().head)) look();
  });
  source.addEventListener("pad", (event) => {
    if (String(JSON.parse(event.data).revision) !== pad().revision) look();
  });
  source.addEventListener("draft", (event) => {
    const draft = JSON.parse(event.data).draft;
    if ((draft ? `${draft.id}.${draft.revision}` : "") !== pad().drafted) look();
  });
  for (const kind of ["entry", "reset"]) source.addEventListener(kind, look);
  source.addEventListener("error", () => {
    failures += 1;
    if (failures > 2 || source.readyState === EventSource.CLOSED) poll();
  });
}

function look() {
  refresh().catch(() => poll());
}

function poll() {
  if (polling) return;
  polling = setInterval(() => {
    if (document.hidden) return;
    refresh().then(open, () => {});
  }, POLL);
}

export function listen() {
  if ("EventSource" in window) open();
  else poll();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    look();
    open();
  });
  window.addEventListener("online", () => {
    look();
    open();
  });
}
