// Copies of shared pads, as the table had them when this phone last asked: the base of what it scores without network.

import { databaseOf } from "../pad/database.js";

const COPIES_MOST = 12;
const kept = databaseOf("tallyroom-copies", (made) => made.createObjectStore("copies", { keyPath: "code" }));
const inStore = (mode, work) => kept("copies", mode, work);

export const copyOf = (code) => inStore("readonly", (copies) => copies.get(code));
export const dropCopy = (code) => inStore("readwrite", (copies) => copies.delete(code));
export const allCopies = async () =>
  (await inStore("readonly", (copies) => copies.getAll())).sort((one, other) => other.at - one.at);
export const dropAllCopies = () => inStore("readwrite", (copies) => copies.clear());

// Those of the pads opened last stay.
export async function saveCopy(copy) {
  await inStore("readwrite", (copies) => copies.put(copy));
  for (const { code } of (await allCopies()).slice(COPIES_MOST)) await dropCopy(code);
}
