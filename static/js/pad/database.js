// A database of the browser: opened when it is first needed, and anew where the browser has closed it or could not open it.

export const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

// Gives what works in one of its stores: it resolves when that is on the disk, as far as a browser can promise it.
export function databaseOf(name, make) {
  let opened = null;

  async function open() {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => make(request.result);
    const found = await done(request);
    found.onclose = found.onversionchange = () => {
      found.close();
      opened = null;
    };
    return found;
  }

  const begin = async (store, mode) =>
    (await (opened ??= open())).transaction(store, mode, { durability: "strict" });

  async function beginAgain(store, mode) {
    opened = null;
    return begin(store, mode);
  }

  return async (store, mode, work) => {
    const transaction = await begin(store, mode).catch(() => beginAgain(store, mode));
    return new Promise((resolve, reject) => {
      const request = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  };
}
