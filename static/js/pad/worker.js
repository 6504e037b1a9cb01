// Keeps the pads in store: their page as it was last seen, the files they need and the sentences they cite.
// With network everything is fresh; without it a reload still shows the pad.

const STORE = "tallyroom-pads-1";
const PAD = /^\/pads\/(?!(?:new|samples|import|known)\/)[a-z0-9-]+\/$/;
const BOARD = /^(\/pads\/[a-z0-9-]+\/)board\/$/;
// Where the parts of a page in store begin, however the template breaks its lines.
const PAD_BEGINS = /<div\s+id="pad"/;
const TAP_BEGINS = /<form\s+id="tap"/;
const FORGET = /^(\/pads\/[a-z0-9-]+\/)(?:forget|delete)\/$/;
const PASSAGE = /^\/books\/[^/]+\/passages\/[^/]+\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));

async function deleteOldCaches() {
  for (const name of await caches.keys())
    if (name.startsWith("tallyroom-") && name !== STORE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const forgotten = request.method === "POST" && FORGET.exec(address.pathname);
  if (forgotten) event.waitUntil(drop(forgotten[1]));
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/static/")) event.respondWith(firstFromStore(request));
  else if (request.mode === "navigate" && (PAD.test(address.pathname) || BOARD.test(address.pathname)))
    event.respondWith(pad(request, address.pathname));
  else if (PASSAGE.test(address.pathname) && request.headers.has("HX-Request"))
    event.respondWith(firstFromNetwork(request, `${address.pathname}?fragment=1`));
});

self.addEventListener("message", (event) => {
  const { store: path, drawn, check } = event.data ?? {};
  if (check) event.waitUntil(dropGone());
  if (typeof path === "string" && PAD.test(path))
    event.waitUntil(drawn ? storeDrawn(path, drawn) : store(path));
});

// A pad that was deleted, or whose link was ended, is forgotten as soon as the phone hears of it.
const isGone = (response) => [403, 404, 410].includes(response.status);

async function drop(path) {
  self.dropCopy?.(path);
  const cache = await caches.open(STORE);
  await Promise.all([path, newest(path), `${path}board/`].map((name) => cache.delete(name)));
}

// Asks for every pad in store, in few bytes; without network they stay.
async function dropGone() {
  for (const { url } of await (await caches.open(STORE)).keys()) {
    const path = new URL(url).pathname;
    const of = PAD.test(path) ? path : BOARD.exec(path)?.[1];
    if (!of) continue;
    const response = await fetch(`${of}about.json`, { cache: "no-store" }).catch(() => null);
    if (response && isGone(response)) await drop(of);
  }
}

// What a phone has just been shown is put away at once: the network may be gone a moment later.
const newest = (path) => `${path}?drawn`;

async function storeDrawn(path, drawn) {
  const headers = { "Content-Type": "text/html; charset=utf-8", "X-Seen": new Date().toISOString() };
  await (await caches.open(STORE)).put(newest(path), new Response(drawn, { headers }));
}

async function pad(request, path) {
  const cache = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(path, response.clone());
    if (response.ok) await cache.delete(newest(path));
    if (isGone(response)) await drop(path);
    return response;
  } catch (fault) {
    const kept = await cache.match(path);
    if (!kept) throw fault;
    return asSeen(kept, await cache.match(newest(path)));
  }
}

// The page in store with the newest pad in it, and with the time at which that was so.
async function asSeen(kept, drawn) {
  const page = await kept.text();
  const [from, to] = [page.search(PAD_BEGINS), page.search(TAP_BEGINS)];
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  if (from < 0 || to < from) return new Response(page, { headers });
  const seen = drawn?.headers.get("X-Seen") ?? new Date(kept.headers.get("Date") ?? Date.now()).toISOString();
  const shown = (drawn ? await drawn.text() : page.slice(from, to)).replace(
    PAD_BEGINS,
    `<div id="pad" data-seen="${seen}"`,
  );
  return new Response(page.slice(0, from) + shown + page.slice(to), { headers });
}

async function store(path) {
  try {
    const response = await fetch(path, { credentials: "same-origin" });
    if (response.ok && !response.redirected) await (await caches.open(STORE)).put(path, response);
    if (isGone(response)) await drop(path);
  } catch {
    // It stays as it was.
  }
}

async function firstFromStore(request) {
  const cache = await caches.open(STORE);
  const kept = await cache.match(request);
  const fresh = fetch(request).then((response) => {
    if (response.ok) cache.put(request, response.clone());
    return response;
  });
  if (!kept) return fresh;
  fresh.catch(() => {});
  return kept;
}

async function firstFromNetwork(request, name) {
  const cache = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) cache.put(name, response.clone());
    else if (isGone(response)) cache.delete(name);
    return response;
  } catch (fault) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw fault;
  }
}
