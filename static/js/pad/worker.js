// Keeps the pads in store: their page as it was last seen, the files they need and the sentences they cite.
// With network everything is fresh; without it a reload still shows the pad.

const STORE = "tallyroom-pads-1";
const PAD = /^\/pads\/[a-z0-9-]+\/$/;
const PASSAGE = /^\/books\/[^/]+\/passages\/[^/]+\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("tallyroom-") && name !== STORE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/static/")) event.respondWith(firstFromStore(request));
  else if (request.mode === "navigate" && PAD.test(address.pathname)) event.respondWith(firstFromNetwork(request, address.pathname));
  else if (PASSAGE.test(address.pathname) && request.headers.has("HX-Request")) event.respondWith(firstFromNetwork(request, `${address.pathname}?fragment=1`));
});

self.addEventListener("message", (event) => {
  const path = event.data?.store;
  if (typeof path === "string" && PAD.test(path)) event.waitUntil(store(path));
});

async function store(path) {
  try {
    const response = await fetch(path, { credentials: "same-origin" });
    if (response.ok && !response.redirected) await (await caches.open(STORE)).put(path, response);
  } catch {
    // It stays as it was.
  }
}

async function firstFromStore(request) {
  const shelf = await caches.open(STORE);
  const kept = await shelf.match(request);
  const fresh = fetch(request).then((response) => {
    if (response.ok) shelf.put(request, response.clone());
    return response;
  });
  if (!kept) return fresh;
  fresh.catch(() => {});
  return kept;
}

async function firstFromNetwork(request, name) {
  const shelf = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) shelf.put(name, response.clone());
    else if (response.status === 404 || response.status === 403) shelf.delete(name);
    return response;
  } catch (fault) {
    const kept = await shelf.match(name);
    if (kept) return kept;
    throw fault;
  }
}
