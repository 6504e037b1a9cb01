// The list of pads this phone knows. What is forgotten takes its waiting taps along, after a warning; and what the
// phone has in store of pads that are gone is dropped.

import { removeTap, tapsOf } from "./outbox.js";

for (const form of document.querySelectorAll("[data-forget]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const taps = await tapsOf(form.dataset.forget).catch(() => []);
    if (taps.length && !confirm(warning(taps.length))) return;
    for (const tap of taps) await removeTap(tap.id);
    form.submit();
  });
}

const warning = (number) =>
  number === 1
    ? "One entry made on this phone has not been sent yet. If you forget the pad, it is lost."
    : `${number} entries made on this phone have not been sent yet. If you forget the pad, they are lost.`;

const worker = await navigator.serviceWorker?.getRegistration();
worker?.active?.postMessage({ check: true });
