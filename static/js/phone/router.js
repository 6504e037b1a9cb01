// Put before the service worker of phones that have the kit: pads on this phone are answered by Python in a page.

const KIT = "phone-kit";
const HERE = /^\/(?:pads|evenings)\/here(?:-[a-z0-9]+)?\//;
const CODE = /^\/q\//i;
const PAGES = /^\/(?:pads|evenings)\/here|^\/phone|^\/q\//i;
const SHELL = "/phone/shell/";
// What a shared pad opens over itself: without network its own page answers.
const READ = /^\/pads\/[a-z0-9]+\/(?:why\/\d+|help|history)\/$/;
const LEAF = /^\/books\/[^/]+\/\d+\/$/;
const FIRST_MS = 2000;
const OTHERS_MS = 1500;

self.addEventListener("fetch", (event) => {
  const answer = answerOf(event);
  if (!answer) return;
  event.stopImmediatePropagation();
  event.respondWith(answer);
});

function answerOf(event) {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return null;
  if (HERE.test(pathname)) return fromPhone(event, pathname + search);
  if (request.method === "POST" && pathname === "/pads/new/") return newPad(event);
  if (request.mode === "navigate" && CODE.test(pathname)) return gameFromCode(event, pathname);
  if (request.method !== "GET") return null;
  if (pathname.startsWith("/static/")) return fromKit(request);
  if (PASSAGE.test(pathname)) return passage(event, pathname, search);
  if (READ.test(pathname) && request.mode !== "navigate")
    return fetch(request).catch(() => fromPhone(event, pathname + search));
  const isSharedPad = PAD.test(pathname) || BOARD.test(pathname);
  if (request.mode !== "navigate" || isSharedPad) return null;
  return fetch(request).catch(() => away(event, pathname, search));
}

// A pad that is forgotten on this phone leaves no copy behind.
function dropCopy(path) {
  const code = path.split("/")[2];
  const request = indexedDB.open("tallyroom-copies");
  // Without a database there is no copy either, and none is made.
  request.onupgradeneeded = () => request.transaction.abort();
  request.onsuccess = () => {
    request.result.transaction("copies", "readwrite").objectStore("copies").delete(code);
    request.result.close();
  };
}

async function fromKit(request) {
  return (await (await caches.open(KIT)).match(request)) ?? firstFromStore(request);
}

// A pad that is shared with others keeps the sentences it has shown, of any rulebook; the kit has those of its games.
function passage(event, path, search) {
  const { request } = event;
  const fresh = request.headers.has("HX-Request")
    ? firstFromNetwork(request, `${path}?fragment=1`)
    : fetch(request);
  return fresh.catch(() => fromPhone(event, path + search));
}

// A new pad that the site cannot take is begun here: the form again, with everything that was chosen.
function newPad({ request }) {
  const copy = request.clone();
  return fetch(request).catch(async () => {
    const chosen = new URLSearchParams(await copy.text());
    chosen.delete("csrfmiddlewaretoken");
    return Response.redirect(`/pads/here-new/?${chosen}`, 303);
  });
}

// A game that another phone shows as a code, and a finger that opens it as a pad: here, if the site cannot.
function gameFromCode(event, path) {
  const copy = event.request.clone();
  return fetch(event.request).catch(() => fromPhone(event, path, copy));
}

function away(event, path, search) {
  if (path === "/" || path === "/phone/") return Response.redirect("/pads/here/", 302);
  if (path === "/pads/new/") return Response.redirect(`/pads/here-new/${search}`, 302);
  return fromPhone(event, LEAF.test(path) ? path + search : "/pads/here-away/");
}

// Whatever changes something has to come from a page of ours: Python asks for no token. What a page fetches comes
// from that page; a form that is sent says where it stood, unless another site hides it.
function isOurs({ request, clientId }) {
  if (["GET", "HEAD"].includes(request.method)) return true;
  if (request.mode !== "navigate") return Boolean(clientId);
  return request.referrer.startsWith(`${location.origin}/`);
}

async function fromPhone(event, path, request = event.request) {
  if (!isOurs(event)) return new Response("This came from another site.", { status: 403 });
  const headers = { ...Object.fromEntries(request.headers), host: location.host, origin: location.origin };
  const body = request.method === "POST" ? await request.arrayBuffer() : new ArrayBuffer(0);
  const asked = { method: request.method, path, headers, body };
  const isPage = request.mode === "navigate" && request.method === "GET";
  for (let round = 0; round < (isPage ? 1 : 8); round += 1) {
    const answer = await askPages(event.clientId, asked);
    if (answer) return responseOf(answer);
  }
  const shell = isPage && (await (await caches.open(KIT)).match(SHELL));
  return shell || new Response("Open this pad on this phone first.", { status: 503 });
}

// A page may have gone since: it is looked for anew each time, the one that asks first.
async function askPages(asking, asked) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const able = pages.filter((page) => PAGES.test(new URL(page.url).pathname) || page.id === asking);
  able.sort((one, other) => (other.id === asking) - (one.id === asking));
  for (const page of able) {
    const answer = await askPage(page, asked, page.id === asking ? FIRST_MS : OTHERS_MS);
    if (answer) return answer;
  }
  return null;
}

function askPage(page, asked, patience) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), patience);
    port1.onmessage = ({ data }) => {
      clearTimeout(late);
      if (data.answer) resolve(data.answer);
    };
    page.postMessage({ ask: asked }, [port2]);
  });
}

function responseOf({ status, headers, body }) {
  const shown = new Headers(headers);
  if (status >= 300 && status < 400 && shown.has("Location"))
    return Response.redirect(new URL(shown.get("Location"), location.origin), status);
  return new Response([204, 304].includes(status) ? null : body, { status, headers: shown });
}
