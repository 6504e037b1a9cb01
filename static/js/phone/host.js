// The page owns Python: the service worker asks an open page, and the page asks its worker. A pad is answered by the
// version of the kit that it was begun with, so scripts of several versions meet here: what they tell one another is
// added to, and never changed.

import { fact, padOf } from "./store.js";

const workers = new Map();
const CODE = /^\/pads\/(here-[a-z0-9]{8})\//;
const PICTURE = /\/result-[a-z]+\.png$/;
const BEGINS_ANOTHER = /\/(?:rematch|again)\/$/;

function tell(worker, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message, [port2]);
  });
}

function start(kit) {
  const worker = new Worker(kit.scripts.python, { type: "module" });
  const failed = new Promise((resolve) => {
    worker.onerror = (event) => resolve({ failed: event.message ?? "The worker did not start." });
  });
  return { worker, ready: Promise.race([tell(worker, { kit }), failed]) };
}

export function python(kit, plays = "here") {
  const name = `${plays} ${kit.version}`;
  let started = workers.get(name);
  if (!started) {
    started = start(kit);
    started.ready.then((state) => state.failed && workers.delete(name));
    workers.set(name, started);
  }
  return started;
}

// The next game of an evening is a new pad: the newest kit begins it.
async function kitFor({ method, path }) {
  const record = CODE.test(path) && (await padOf(CODE.exec(path)[1]));
  const begunWith = method === "POST" && BEGINS_ANOTHER.test(path) ? "" : record?.kit;
  return { record, kit: (begunWith && (await fact(`kit ${begunWith}`))) || (await fact("kit")) };
}

// Starts the Python that this page will ask, before it is asked.
export async function warm(path) {
  const { kit } = await kitFor({ method: "GET", path });
  if (kit) python(kit);
}

const theme = () =>
  Object.fromEntries(
    document.cookie
      .split("; ")
      .map((one) => one.split("="))
      .filter(([name]) => name === "theme"),
  );

// A tap that another page still has may not be led on: the site's pad would look like the answer to it.
const isTap = ({ method, headers }) => method === "POST" && !headers.accept?.includes("text/html");
const MOVED = {
  status: 409,
  headers: [["Content-Type", "application/json"]],
  body: new TextEncoder().encode(
    JSON.stringify({ error: { code: "moved", message: "This pad was moved to the site. Enter it there." } }),
  ),
};

const unable = (words) => ({
  status: 503,
  headers: [["Content-Type", "text/plain; charset=utf-8"]],
  body: new TextEncoder().encode(words),
});

export async function ask(asked) {
  const { record, kit } = await kitFor(asked);
  if (record?.moved && asked.path.startsWith(`/pads/${record.code}/`)) {
    if (isTap(asked)) return MOVED;
    return { status: 302, headers: [["Location", record.moved]], body: new Uint8Array() };
  }
  if (!kit) return unable("The kit is not on this phone.");
  const { worker, ready } = python(kit);
  const state = await ready;
  if (state.failed) return unable(state.failed);
  const isPicture = PICTURE.test(asked.path);
  const path = isPicture ? asked.path.replace(/png$/, "svg") : asked.path;
  const answer = await tell(worker, { ask: { ...asked, path, cookies: theme() } });
  return isPicture && answer.status === 200 ? (await import("./picture.js")).asPng(answer) : answer;
}

// A pad of the table is played by a Python of its own: it never meets the pads that are here alone.
export async function playShared(asked) {
  const { worker, ready } = python(await fact("kit"), "shared");
  const state = await ready;
  if (state.failed) throw new Error(state.failed);
  const told = await tell(worker, { shared: asked });
  if (!told.played) throw new Error(new TextDecoder().decode(told.body));
  return JSON.parse(told.played);
}

// In a Python of its own, whose memory is free again afterwards.
export async function selfCheck(kit) {
  const { worker, ready } = start(kit);
  try {
    const state = await ready;
    if (state.failed) return { differences: [state.failed], milliseconds: 0 };
    const found = await tell(worker, { check: true });
    return { differences: found.differences ?? ["It could not be played."], milliseconds: state.ready };
  } finally {
    worker.terminate();
  }
}

export function listen(answer = ask) {
  if (window.tallyroomHost || !navigator.serviceWorker) return;
  window.tallyroomHost = true;
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    if (!data?.ask || !port) return;
    port.postMessage({ here: true });
    answer(data.ask)
      .catch((fault) => unable(String(fault?.message ?? fault)))
      .then((answer) => port.postMessage({ answer }));
  });
  navigator.serviceWorker.startMessages();
}
