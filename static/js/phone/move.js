// Moves a pad from this phone to the site. It has its own name, so that sent twice it is one pad.

import { padOf, savePads, padsAfter } from "./store.js";

export async function move(button) {
  const { code } = button.dataset;
  const says = document.getElementById("moving");
  button.disabled = true;
  says.textContent = "Moving…";
  try {
    const file = await fetch(`/pads/${code}/move.json`).then((response) => response.json());
    const response = await fetch("/pads/move/", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(file),
    });
    const told = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(told.error?.message ?? "The site did not take it. Try again later.");
    await leadOn(code, told.keep);
    location.assign(told.keep);
  } catch (fault) {
    const isAway = fault instanceof TypeError;
    says.textContent = isAway
      ? "No network. The pad stays on this phone; try again when there is one."
      : fault.message;
    button.disabled = false;
  }
}

// From now on the address on this phone leads to the site's.
const leadOn = (code, address) =>
  navigator.locks.request("tallyroom-here", async () => {
    const stamps = (await padsAfter(0)).map((record) => record.stamp);
    await savePads([{ ...(await padOf(code)), moved: address, stamp: Math.max(...stamps) + 1 }]);
  });
