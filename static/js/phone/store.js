// Pads on this phone, in the browser's own database. Each record has the stamp of its last change, so that a page
// sees at once what another one has written.

let opened;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function database() {
  if (opened) return opened;
  const request = indexedDB.open("tallyroom-here", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("pads", { keyPath: "code" }).createIndex("stamp", "stamp");
    request.result.createObjectStore("facts", { keyPath: "name" });
  };
  opened = done(request);
  opened.then(
    (found) => (found.onclose = found.onversionchange = () => (found.close(), (opened = null))),
    () => (opened = null),
  );
  return opened;
}

const read = async (store, ask) => done(ask((await database()).transaction(store).objectStore(store)));

export const padOf = (code) => read("pads", (pads) => pads.get(code));
export const padsAfter = (stamp) =>
  read("pads", (pads) => pads.index("stamp").getAll(IDBKeyRange.lowerBound(stamp, true)));
export const allPads = async () => (await padsAfter(0)).filter((pad) => !pad.gone);
export const fact = async (name) => (await read("facts", (facts) => facts.get(name)))?.value;

// Resolves when it is on the disk, as far as a browser can promise that.
async function write(store, work) {
  const transaction = (await database()).transaction(store, "readwrite", { durability: "strict" });
  const finished = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  work(transaction.objectStore(store));
  await finished;
}

export const saveFact = (name, value) => write("facts", (facts) => facts.put({ name, value }));
export const dropFact = (name) => write("facts", (facts) => facts.delete(name));
export const savePads = (records) => write("pads", (pads) => records.forEach((record) => pads.put(record)));
