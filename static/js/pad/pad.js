// A pad on the table. Each part listens to its own matters; here they meet.

import * as bounces from "./bounces.js";
import { clearPending, hideRefusal, listWaiting, showRefusal } from "./messages.js";
import * as live from "./live.js";
import * as device from "./device.js";
import { sendNow, setListeners, send } from "./sync.js";
import { isAhead, onRender, scrollToNew, state } from "./render.js";
import * as taps from "./taps.js";
import * as undo from "./undo.js";
import * as times from "./times.js";

const looking = new URLSearchParams(location.search);
state.at = looking.get("at") ?? "";
state.by = looking.get("by") ?? "";
if (location.search) history.replaceState(null, "", location.pathname);

// What waits has its row in the pad's grid, so that it covers nothing.
document.getElementById("pad").append(document.getElementById("waiting"));

// With the kit on this phone it goes on scoring when the network is gone.
const ASK_AGAIN_MS = 15_000;
let shared = null;
let isLost = false;

setListeners({
  refused: (tap, error) => showRefusal(error),
  waiting: () => {
    listWaiting();
    undo.updateLine();
    shared?.drawAgain();
  },
  net: (words, isHeard) => {
    said = words;
    sayNet();
    if (!words && (isHeard || navigator.onLine)) found();
  },
  lost: () => {
    lose();
    shared?.lost();
  },
  answered: (tap) => shared?.answered(tap),
  apart: () =>
    import("./both-lists.js")
      .then(({ compare }) => compare(send))
      .catch(() => setTimeout(send, ASK_AGAIN_MS)),
});

let said = "";
function sayNet() {
  const place = document.querySelector("[data-net]");
  if (place) place.textContent = isAhead() ? ahead() : [times.asOf(), said].filter(Boolean).join(". ");
}

function ahead() {
  const count = document.getElementById("pad").dataset.ahead;
  return `Scored on this phone: ${count} ${count === "1" ? "entry" : "entries"} not yet at the table`;
}

// Who has lost the network twice is told that the pad can be taken along. Some browsers count for nobody.
function lose() {
  if (isLost) return;
  isLost = true;
  try {
    localStorage.losses = Number(localStorage.losses ?? 0) + 1;
  } catch {
    // No offer then.
  }
}

function found() {
  if (isLost && !device.hasKit())
    import("./offer.js").then(
      ({ offer }) => offer(),
      () => {},
    );
  isLost = false;
  shared?.found();
}

onRender((change) => {
  const pad = document.getElementById("pad");
  clearPending();
  undo.updateLine();
  times.localTimes(pad);
  if (!change.restored) {
    delete pad.dataset.seen;
    device.storePage(change.html);
  }
  sayNet();
  if (change.head > 0 || pad.dataset.said !== change.before) {
    document.getElementById("said").textContent = pad.dataset.said;
    hideRefusal();
  }
});

// What is felt and heard is loaded with the first touch, when it is first allowed; at once where its switch is shown.
let isOver = document.getElementById("pad").classList.contains("is-over");
const loadSignals = () => import("./signals.js");
onRender((change) => {
  const wasOver = isOver;
  isOver = document.getElementById("pad").classList.contains("is-over");
  const kind = isOver && !wasOver ? "win" : change.own ? "own" : "other";
  loadSignals().then(
    (signals) => {
      signals.showSwitch();
      if (change.head > 0) signals.signal(kind);
    },
    () => {},
  );
});
if (matchMedia("(min-width: 26rem)").matches) loadSignals().catch(() => {});
document.addEventListener("pointerdown", () => loadSignals().catch(() => {}), { once: true });
// Hints that lie on the totals go with it.
document.addEventListener("click", () => document.body.classList.add("is-touched"), { once: true });

// A reason needs the network anyhow: what opens it is loaded when the first is asked for.
async function openFirstReason(event) {
  const number = event.target.closest?.("[data-why]");
  if (!number || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  document.removeEventListener("click", openFirstReason);
  try {
    (await import("./why.js")).listen();
    number.click();
  } catch {
    location.assign(number.href);
  }
}

// Only a screen with room for the history loads what lists it.
const desk = matchMedia("(min-width: 75rem) and (min-height: 30.01rem)");
const openLog = () =>
  desk.matches &&
  import("./log.js").then(
    (log) => log.listen(),
    () => {},
  );

bounces.listen();
taps.listen(showRefusal);
document.addEventListener("click", openFirstReason);
device.listen();
times.localTimes();
device.installWorker().then(() => document.getElementById("pad").dataset.seen || device.storePage());
sayNet();
live.listen();
send();
if (device.hasKit())
  import("../phone/shared.js").then(
    (module) => {
      shared = module;
      shared.listen();
      if (isLost) shared.lost();
    },
    () => {},
  );
window.addEventListener("online", sendNow);
window.addEventListener("offline", lose);
document.addEventListener("visibilitychange", () => document.hidden || send());
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#refusal")) hideRefusal();
});
document.getElementById("refusal").addEventListener("click", hideRefusal);
scrollToNew(document.getElementById("sheet"));
openLog();
desk.addEventListener("change", openLog);
