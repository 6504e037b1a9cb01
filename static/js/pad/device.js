// The phone itself: its screen stays awake, and a service worker keeps the page for times without network.

let lock = null;

async function stayAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // battery saver, or plain http: the phone decides
  }
}

// A lock is lost when the page is hidden, and sometimes when the phone thinks better of it.
export function keepAwake() {
  if (!document.hidden && (!lock || lock.released)) stayAwake();
}

export function listen() {
  stayAwake();
  document.addEventListener("visibilitychange", keepAwake);
}

// A phone that plays without network has a service worker that does more.
export const hasKit = () => Boolean(navigator.serviceWorker?.controller?.scriptURL.endsWith("?phone"));

export async function installWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    // A phone that plays without network has one that does more; it stays.
    const here = await navigator.serviceWorker.getRegistration();
    await navigator.serviceWorker.register(here?.active?.scriptURL ?? "/sw.js");
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
