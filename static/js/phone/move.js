// Moves a pad from this phone to the site, with the other games of its evening. Each has its own name, so that sent twice
// it is one pad.

import { allPads, padOf, savePads, padsAfter } from "./store.js";

const ROUNDS_MOST = 5;

export async function move(button) {
  const { code } = button.dataset;
  const says = document.getElementById("moving");
  button.disabled = true;
  says.textContent = "Moving…";
  try {
    for (const one of await eveningOf(code)) {
      await sendUntilWhole(one);
      // With its link the phone is let into that game too.
      if (one !== code) await fetch((await padOf(one)).moved);
    }
    location.assign((await padOf(code)).moved);
  } catch (fault) {
    const isAway = fault instanceof TypeError;
    says.textContent = isAway
      ? "No network. The pad stays on this phone; try again when there is one."
      : fault.message;
    button.disabled = false;
  }
}

// The games of its evening that are still here, the first one first: each names the one before.
async function eveningOf(code) {
  const evening = ({ kept }) => JSON.parse(kept).evening[0]?.code;
  const own = evening(await padOf(code));
  const found = (await allPads()).filter(
    (pad) => !pad.moved && (pad.code === code || (own && evening(pad) === own)),
  );
  found.sort((one, other) => (one.shown.made < other.shown.made ? -1 : 1));
  return found.map((pad) => pad.code);
}

// What is entered here while it is on its way is sent after it: sent again, it is the same pad.
async function sendUntilWhole(code) {
  for (let round = 0; round < ROUNDS_MOST; round += 1) {
    const { kept } = await padOf(code);
    const address = await send(code);
    if (await leadOn(code, address, kept)) return;
  }
  throw new Error("Somebody is entering on this pad just now. Try again in a moment.");
}

async function send(code) {
  const file = await fetch(`/pads/${code}/move.json`);
  if (!file.ok) throw new Error("The pad could not be read. Load this page again.");
  const response = await fetch("/pads/move/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: await file.text(),
  });
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(told.error?.message ?? "The site did not take it. Try again later.");
  return told.keep ?? told.pad;
}

// From now on the address on this phone leads to the site's; not if the pad has changed since it was read.
const leadOn = (code, address, kept) =>
  navigator.locks.request("tallyroom-here", async () => {
    const record = await padOf(code);
    if (record.kept !== kept) return false;
    const stamps = (await padsAfter(0)).map((one) => one.stamp);
    await savePads([{ ...record, moved: address, stamp: Math.max(...stamps) + 1 }]);
    return true;
  });
