// Python for the pads on this phone. Requests are answered one by one, across all pages of this phone; what a
// request has changed is on the disk before its answer leaves.

import { allCopies } from "./copies.js";
import { allPads, padsAfter, savePads } from "./store.js";

const LOCK = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" };
const ONE_AT_A_TIME = "tallyroom-here";
const PICTURED = /^\/books\/(?!.*[?&]fragment=)/;
const NO_ROOM =
  "This phone has no room left. What you tapped is kept in the page; make room, then tap again.";

let kit;
let site;
let seen = 0; // the stamp of the newest record that this Python knows
const records = new Map();
const news = new BroadcastChannel("tallyroom-here");

async function start() {
  const { places } = kit;
  const [loader, text, files] = await Promise.all([
    import(places.loader),
    fetch(places.content).then((response) => response.text()),
    fetch(places.files).then((response) => response.json()),
  ]);
  const program = fetch(places.program).then((response) => response.arrayBuffer());
  const indexURL = new URL(".", new URL(places.loader, location.origin)).href;
  const python = await loader.loadPyodide({
    indexURL,
    stdLibURL: new URL(places.library, location.origin).href,
    lockFileContents: JSON.stringify({ info: { ...LOCK, version: loader.version }, packages: {} }),
    env: { HOME: "/home", PHONE_HOME: "/site", PHONE_TIME_ZONE: kit.zone, PYTHONTZPATH: "/zones" },
  });
  for (const [name, words] of Object.entries(files)) put(python, `/site/${name}`, words);
  const { zone } = JSON.parse(text);
  put(
    python,
    `/zones/${zone.name}`,
    Uint8Array.from(atob(zone.data), (sign) => sign.charCodeAt(0)),
  );
  put(python, "/program.zip", new Uint8Array(await program));
  python.runPython("import sys; sys.path.insert(0, '/program.zip')");
  const application = moduleOf(python, "phone.application");
  application.start(text);
  site = { python, application, records: moduleOf(python, "phone.pad_records") };
}

const moduleOf = (python, name) => python.runPython(`__import__("${name}", fromlist=["*"])`);

function put(python, path, data) {
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  python.FS.writeFile(path, data);
}

// Another page may have gone on: what is on the disk is the truth, what this Python remembers is not.
async function catchUp() {
  const found = await padsAfter(seen);
  // The game before comes first: the next one of its evening names it.
  const made = ({ shown }) => shown?.made ?? "";
  for (const record of found.sort((one, other) => (made(one) < made(other) ? -1 : 1))) {
    site.records.restore(record.code, record.kept);
    records.set(record.code, record);
  }
  seen = Math.max(seen, ...found.map(({ stamp }) => stamp));
}

function headersOf(asked, kept) {
  const cookies = Object.assign({}, ...[...records.values()].map((record) => record.cookies), asked.cookies);
  const words = Object.entries(cookies).filter(([, value]) => value);
  const headers = { ...asked.headers, cookie: words.map(([name, value]) => `${name}=${value}`).join("; ") };
  return kept ? { ...headers, "x-pads-here": plain(JSON.stringify(kept)) } : headers;
}

const shownOf = ({ code, shown, moved }) => ({ code, moved: moved ?? "", ...shown });

function copyShown({ text }) {
  const { pad, entries, role, engine, declaration } = JSON.parse(text);
  const { code, game, players, made_at: made } = pad;
  return { code, game, players, made, entries: entries.length, role, engine, declaration };
}

const listed = async () => ({
  here: (await allPads()).sort((one, other) => other.stamp - one.stamp).map(shownOf),
  shared: (await allCopies()).map(copyShown),
});

// JSON in a header has to be plain.
const plain = (words) =>
  words.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Pictures of passages are large, and no pad waits for them.
async function takeClips() {
  if (site.hasClips) return;
  const response = await fetch(kit.places.clips);
  site.application.take_clips(await response.text());
  site.hasClips = true;
}

async function answer(asked) {
  await catchUp();
  if (PICTURED.test(asked.path)) await takeClips();
  const isList = asked.path.startsWith("/pads/here/");
  const headers = headersOf(asked, isList && (await listed()));
  const { python, application } = site;
  const told = application.answer(asked.method, asked.path, python.toPy(headers), bytes(python, asked.body));
  const [status, fields, body, cookies] = told.toJs({ dict_converter: Object.fromEntries });
  told.destroy();
  const failure = await keep(asked, cookies);
  return failure ?? { status, headers: fields, body };
}

const bytes = (python, body) => python.globals.get("bytes")(python.toPy(new Uint8Array(body)));

// Writes what this request has changed. Without room for it the request never happened.
async function keep(asked, cookies) {
  if (["GET", "HEAD"].includes(asked.method) && !Object.keys(cookies).length) return null;
  const changed = site.records.changed_by(asked.path, site.python.toPy([...records.keys()]));
  const written = changed.toJs({ dict_converter: Object.fromEntries });
  changed.destroy();
  const made = Object.entries(written).map(([code, text]) => recordOf(code, text, cookies));
  if (!made.length) return null;
  try {
    await savePads(made);
  } catch (fault) {
    for (const { code } of made) site.records.restore(code, records.get(code)?.kept ?? "");
    // These stamps were not used: another page will use them, and its records must not be passed over.
    seen -= made.length;
    return refusal(507, fault.name === "QuotaExceededError" ? NO_ROOM : String(fault.message));
  }
  for (const record of made) {
    records.set(record.code, record);
    news.postMessage({ code: record.code, ...record.shown });
  }
  return null;
}

function recordOf(code, text, cookies) {
  const before = records.get(code);
  seen += 1;
  return {
    ...before,
    code,
    stamp: seen,
    kit: before?.kit ?? kit.version,
    kept: text,
    gone: !text,
    shown: text ? JSON.parse(text).shown : before?.shown,
    cookies: { ...before?.cookies, ...ownCookies(code, cookies) },
  };
}

const ownCookies = (code, cookies) =>
  Object.fromEntries(
    Object.entries(cookies).filter(([name]) => name.endsWith(code) || !name.includes("here-")),
  );

function refusal(status, words) {
  const body = new TextEncoder().encode(JSON.stringify({ error: { code: "phone", message: words } }));
  return { status, headers: [["Content-Type", "application/json"]], body };
}

function check() {
  const found = moduleOf(site.python, "phone.self_check").differences(JSON.stringify(kit.check));
  const words = found.toJs();
  found.destroy();
  return { differences: words };
}

// A pad of the table: the page has its copy and its taps, and nothing of it is kept here.
function playShared(asked) {
  const played = moduleOf(site.python, "phone.shared_pads").play(JSON.stringify(asked));
  return { played };
}

const working = (work) => navigator.locks.request(ONE_AT_A_TIME, work);

let ready;
self.addEventListener("message", ({ data, ports: [port] }) => {
  if (data.kit) {
    kit = data.kit;
    ready = start();
    ready.then(
      () => port.postMessage({ ready: Math.round(performance.now()) }),
      (fault) => port.postMessage({ failed: String(fault.message).slice(-1500) }),
    );
    return;
  }
  ready
    .then(() =>
      data.shared ? playShared(data.shared) : working(() => (data.check ? check() : answer(data.ask))),
    )
    .catch((fault) => refusal(500, String(fault.message ?? fault).slice(-1500)))
    .then((found) => port.postMessage(found));
});
