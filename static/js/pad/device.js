// The phone itself: its screen stays awake, a service worker keeps the page for times without network, and times are
// written by its own clock, in its own language.

let lock = null;

async function stayAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // battery saver, or plain http: the phone decides
  }
}

export function listen() {
  stayAwake();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (!lock || lock.released)) stayAwake();
  });
}

export async function installWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    const worker = await navigator.serviceWorker.ready;
    worker.active?.postMessage({ check: true });
  } catch {
    // Without a worker the pad still works; only a reload without network does not.
  }
}

// The page in store should be the pad as it is now, not as it was when it was opened.
// On the first visit the worker is ready before it controls the page.
export async function storePage(drawn) {
  const worker = await navigator.serviceWorker?.ready;
  worker?.active?.postMessage({ store: location.pathname, drawn });
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

// The server writes times in UTC, for phones without a script.
export function localTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = clock.format(when);
  }
}

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

// A pad that comes from the phone's own store says how old it is: nobody could be asked if it is still there.
export function asOf() {
  const { seen, head } = document.getElementById("pad").dataset;
  if (!seen) return "";
  const when = new Date(seen);
  const isToday = when.toDateString() === new Date().toDateString();
  const time = isToday ? clock.format(when) : `${day.format(when)}, ${clock.format(when)}`;
  return `As of ${time}, ${head} ${head === "1" ? "entry" : "entries"}; it may be gone by now`;
}
