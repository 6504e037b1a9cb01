// Pads on this phone, in the browser's own database. Each record has the stamp of its last change, so that a page
// sees at once what another one has written.

import { databaseOf } from "../pad/database.js";

const inStore = databaseOf("tallyroom-here", (made) => {
  made.createObjectStore("pads", { keyPath: "code" }).createIndex("stamp", "stamp");
  made.createObjectStore("facts", { keyPath: "name" });
});
const read = (store, ask) => inStore(store, "readonly", ask);
const write = (store, work) => inStore(store, "readwrite", work);

export const padOf = (code) => read("pads", (pads) => pads.get(code));
export const padsAfter = (stamp) =>
  read("pads", (pads) => pads.index("stamp").getAll(IDBKeyRange.lowerBound(stamp, true)));
export const allPads = async () => (await padsAfter(0)).filter((pad) => !pad.gone);
export const fact = async (name) => (await read("facts", (facts) => facts.get(name)))?.value;
export const saveFact = (name, value) => write("facts", (facts) => facts.put({ name, value }));
export const dropFact = (name) => write("facts", (facts) => facts.delete(name));
export const savePads = (records) =>
  write("pads", (pads) => records.map((record) => pads.put(record)).at(-1));
