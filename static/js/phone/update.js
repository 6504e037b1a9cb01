// Keeps the kit up to date: with network, a page here fetches a newer one in the background, has it play its hand, and
// from then on new pads are begun with it. Whatever fails, the kit that is here stays, and it is tried again later.

import { selfCheck } from "./host.js";
import { download, manifest, tidy, use } from "./kit.js";
import { fact, saveFact } from "./store.js";

const MINUTES_BETWEEN = 30;
const CHANGING = "tallyroom-kit";

// One page at a time changes what is here: each deletes what it does not know.
export const alone = (work) => navigator.locks.request(CHANGING, work);

export function keepUpToDate() {
  if (!navigator.onLine || navigator.connection?.saveData) return null;
  return navigator.locks
    .request(CHANGING, { ifAvailable: true }, (lock) => lock && update())
    .catch(() => null);
}

async function update() {
  const here = await fact("kit");
  if (!here || Date.now() - ((await fact("asked")) ?? 0) < MINUTES_BETWEEN * 60_000) return;
  const kit = await manifest();
  await saveFact("asked", Date.now());
  if (kit.version === here.version) {
    await tidy(here);
    return;
  }
  await download(kit);
  const { differences } = await selfCheck(kit);
  if (!differences.length) await use(kit);
}
