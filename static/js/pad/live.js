// Other phones' entries. A stream tells that something happened, the fragment says what; where streams fail,
// asking every five seconds takes over.

import { refresh } from "./render.js";
import { whenAnswered } from "./sync.js";

const POLL = 5000;
// By their numbers: what the pad shows already is not asked for again.
const SHOWN = {
  // A pad from the phone's own store is asked for in any case.
  hello: ({ head }, shown) => head === Number(shown.head) && !shown.seen,
  entry: ({ number }, shown) => number <= Number(shown.head),
  reset: ({ head }, shown) => head === Number(shown.head),
  pad: ({ revision }, shown) => String(revision) === shown.revision,
  draft: ({ draft }, shown) => (draft ? `${draft.id}.${draft.revision}` : "") === shown.drafted,
};
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
  for (const [kind, isShown] of Object.entries(SHOWN)) {
    source.addEventListener(kind, (event) => lookUnless(() => isShown(JSON.parse(event.data), pad())));
  }
  source.addEventListener("error", () => {
    failures += 1;
    if (failures > 2 || source.readyState === EventSource.CLOSED) poll();
  });
}

// What this phone has sent comes back in the stream, often before its answer: the answer is waited for.
async function lookUnless(isShown) {
  await whenAnswered();
  if (!isShown()) look();
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
