// Downloads the kit file by file, each checked by its hash. What is here already is not asked for again: a download
// that was stopped goes on where it stopped.

import { dropAllCopies } from "./copies.js";
import { allPads, dropFact, fact, saveFact } from "./store.js";

export const CACHE = "phone-kit";
const SHELL = "/phone/shell/";
const CHANGED = "The site has changed meanwhile. Load this page again.";

export const manifest = async () => {
  const response = await fetch("/phone/kit/", { cache: "no-store" });
  if (!response.ok) throw new Error("This site offers no kit.");
  return response.json();
};

export async function missing(kit) {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  return kit.files.filter(({ url }) => !here.has(url));
}

// Tells `report` the share of the kit that is here, by bytes, as they come.
export async function download(kit, report = () => {}, signal = undefined) {
  const cache = await caches.open(CACHE);
  const wanted = await missing(kit);
  let had = kit.stored - wanted.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of wanted) {
    const before = had;
    const data = await bytesOf(file, (bytes) => report((before + bytes) / kit.stored), signal);
    await cache.put(file.url, data);
    had = before + file.bytes;
    report(had / kit.stored);
  }
}

async function bytesOf(file, report, signal) {
  const response = await whole(await fetch(file.url, { signal, cache: "no-cache" }));
  const parts = [];
  let bytes = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    report(bytes);
  }
  const blob = new Blob(parts);
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== file.sha256) throw new Error("A file came damaged. Try again.");
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(blob, { headers });
}

async function whole(response) {
  if (!response.ok) throw new Error(CHANGED);
  return response;
}

// From now on new pads are begun with this kit. Those begun with an older one keep it until they are gone.
export async function use(kit) {
  await keepShell(kit);
  await saveFact(`kit ${kit.version}`, kit);
  await saveFact("kit", kit);
  await tidy(kit);
}

// The page that starts Python names scripts of this kit: one of another would find none without network.
async function keepShell(kit) {
  const shell = await whole(await fetch(SHELL, { cache: "no-store" }));
  if (!(await shell.clone().text()).includes(`data-kit="${kit.version}"`)) throw new Error(CHANGED);
  await (await caches.open(CACHE)).put(SHELL, shell);
}

// An older kit goes when its last pad has been moved or deleted.
export async function tidy(kit) {
  const used = new Set([kit.version, ...(await allPads()).filter((pad) => !pad.moved).map((pad) => pad.kit)]);
  const kept = [];
  for (const version of await versions()) {
    if (used.has(version)) kept.push(await fact(`kit ${version}`));
    else await dropFact(`kit ${version}`);
  }
  await saveFact("kits", [...used]);
  const urls = new Set([SHELL, ...kept.flatMap((one) => (one ? one.files.map(({ url }) => url) : []))]);
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys())
    if (!urls.has(new URL(request.url).pathname)) await cache.delete(request);
}

const versions = async () =>
  [...new Set([...((await fact("kits")) ?? []), (await fact("kit"))?.version])].filter(Boolean);

export async function remove() {
  for (const version of await versions()) await dropFact(`kit ${version}`);
  await dropFact("kit");
  await dropFact("kits");
  await caches.delete(CACHE);
  // What shared pads have left here is of no use without Python.
  await dropAllCopies();
  await navigator.serviceWorker.register("/sw.js");
}

// The service worker of phones that play without network; it answers once it controls this page.
export async function installRouter() {
  await navigator.serviceWorker.register("/sw.js?phone");
  await navigator.serviceWorker.ready;
}
