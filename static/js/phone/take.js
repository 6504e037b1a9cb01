// The page that takes the kit along: what is here, the download, the check, and then the pads.

import { download, installRouter, manifest, missing, remove, use } from "./kit.js";
import { listen, selfCheck } from "./host.js";
import { allPads, fact } from "./store.js";
import { alone } from "./update.js";

const root = document.getElementById("taking");
const find = (name) => root.querySelector(`[data-${name}]`);
const says = (words) => (find("says").textContent = words);
const show = (name, is) => (find(name).hidden = !is);
const percent = (share) => `${Math.floor(share * 100)} %`;

let stopping = null;

// Without these no page can be kept; the guide says how a site is served so that they are there.
function refusal() {
  if (!window.isSecureContext)
    return "Over plain http a phone cannot keep this. The guide below tells how to serve the site by https.";
  if (!("serviceWorker" in navigator) || !("caches" in window) || !("locks" in navigator))
    return "This browser cannot keep pages. A private window never can; try an ordinary one.";
  if (typeof WebAssembly !== "object")
    return "This browser cannot run it. Without network your taps still wait on the phone, as before.";
  return "";
}

async function take() {
  stopping = new AbortController();
  show("stop", true);
  show("bar", true);
  try {
    const kit = await manifest();
    // Firefox asks its owner, who may leave the question unanswered.
    navigator.storage?.persist?.().catch(() => {});
    await download(kit, (share) => ((find("bar").value = share), says(percent(share))), stopping.signal);
    show("stop", false);
    says("Playing one hand to check it…");
    await installRouter();
    await check(kit);
    await use(kit);
    await ready();
  } catch (fault) {
    says(wordsFor(fault));
    find("take").textContent = "Go on";
  } finally {
    find("take").disabled = false;
    show("stop", false);
  }
}

async function check(kit) {
  const { differences } = await selfCheck(kit);
  if (differences.length)
    throw new Error(`This phone does not score as the site does. ${differences.join(" ")}`);
}

function wordsFor(fault) {
  if (fault.name === "AbortError") return "Stopped. What has come stays; it goes on from there.";
  if (fault.name === "QuotaExceededError")
    return "This phone has no room for it. Make some room, then go on.";
  if (fault instanceof TypeError) return "The network is gone. What has come stays; it goes on from there.";
  return fault.message;
}

async function ready() {
  says("Ready. This phone can play without network.");
  show("bar", false);
  show("take", false);
  show("ready", true);
}

async function drop() {
  const pads = (await allPads()).filter((pad) => !pad.moved);
  if (pads.length) {
    const one = "One pad is only on this phone. Move it to the site or delete it first.";
    const several = `${pads.length} pads are only on this phone. Move them to the site or delete them first.`;
    says(pads.length === 1 ? one : several);
    return;
  }
  await remove();
  location.reload();
}

async function begin() {
  show("do", true);
  const no = refusal();
  if (no) {
    find("take").disabled = true;
    says(no);
    return;
  }
  listen();
  find("take").addEventListener("click", () => {
    find("take").disabled = true;
    says("Beginning…");
    alone(take);
  });
  find("stop").addEventListener("click", () => stopping?.abort());
  find("remove").addEventListener("click", () => alone(drop));
  const here = await fact("kit");
  if (here?.version === root.dataset.kit) {
    await installRouter();
    await ready();
  } else if (here) {
    find("take").textContent = "Update it";
    says(
      "It is on this phone, and the site has a newer one. A page of a pad here fetches it by itself when there is" +
        " network. Pads go on with the one they were begun with.",
    );
  } else {
    const kit = await manifest();
    const left = (await missing(kit)).reduce((sum, file) => sum + file.bytes, 0);
    if (left < kit.stored) {
      find("take").textContent = "Go on";
      says(`${percent(1 - left / kit.stored)} is here already.`);
    }
  }
}

begin().catch((fault) => says(wordsFor(fault)));
