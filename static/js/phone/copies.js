// Copies of shared pads, as the table had them when this phone last asked: the base of what it scores without network.

const NAME = "tallyroom-copies";
const COPIES_MOST = 12;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function database() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("copies", { keyPath: "code" });
  return done(request);
}

async function inStore(mode, work) {
  const opened = await database();
  try {
    return await work(opened.transaction("copies", mode).objectStore("copies"));
  } finally {
    opened.close();
  }
}

export const copyOf = (code) => inStore("readonly", (copies) => done(copies.get(code)));
export const dropCopy = (code) => inStore("readwrite", (copies) => done(copies.delete(code)));

// Those of the pads opened last stay.
export async function saveCopy(copy) {
  await inStore("readwrite", (copies) => done(copies.put(copy)));
  const all = await inStore("readonly", (copies) => done(copies.getAll()));
  const old = all.sort((one, other) => other.at - one.at).slice(COPIES_MOST);
  for (const { code } of old) await dropCopy(code);
}
