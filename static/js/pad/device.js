// The phone as a thing on a table: its screen stays awake, its clock is local.

let lock = null;

async function stayAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // battery saver, or plain http: the phone decides
  }
}

export function localTimes(root = document) {
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = clock.format(when);
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
    await navigator.serviceWorker.ready;
  } catch {
    // Without a worker the pad still works; only a reload without network does not.
  }
}

// The page in store should be the pad as it is now, not as it was when it was opened.
export function storePage(drawn) {
  navigator.serviceWorker?.controller?.postMessage({ store: location.pathname, drawn });
}

// A pad that comes from the phone's own store says how old it is.
export function asOf() {
  const { seen, head } = document.getElementById("pad").dataset;
  if (!seen) return "";
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  return `As of ${clock.format(new Date(seen))}, ${head} ${head === "1" ? "entry" : "entries"}`;
}
