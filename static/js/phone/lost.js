// A browser that has pads of its own but asks the site for one has lost its service worker: it is put back.

import { installRouter } from "./kit.js";
import { fact } from "./store.js";

if (navigator.serviceWorker && (await fact("kit"))) {
  document.querySelector("[data-lost]").hidden = false;
  const hadNone = !navigator.serviceWorker.controller?.scriptURL.endsWith("?phone");
  await installRouter();
  if (hadNone) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
}
