// Taps are written down on the phone before they are sent, and kept until the server has answered.
// A reload, a killed browser or a night without network loses none of them.

import { databaseOf } from "./database.js";

const kept = databaseOf("tallyroom-outbox", (made) => made.createObjectStore("taps", { keyPath: "id" }));
const inStore = (mode, work) => kept("taps", mode, work);

// crypto.randomUUID is missing over plain http; random values are not.
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

let last = 0;
export function newTap(pad, kind, body, said, seen) {
  last = Math.max(Date.now(), last + 1);
  return { id: newId(), pad, kind, body, said, seen, made: last, refused: null };
}

export const saveTap = (tap) => inStore("readwrite", (store) => store.put(tap));
export const removeTap = (id) => inStore("readwrite", (store) => store.delete(id));

// Not those that were refused, that a person is asked about, or has dropped or chosen for a pad of their own.
export const isWaiting = (tap) => !tap.refused && !tap.asked && !tap.dropped && !tap.own;

export async function tapsOf(pad) {
  const all = await inStore("readonly", (store) => store.getAll());
  return all.filter((tap) => tap.pad === pad).sort((one, other) => one.made - other.made);
}

// Whether a tap has left the phone is decided in one transaction: so Undo and sending never both have it. Gives them, and
// those that leave for the first time.
export const markSent = (taps) =>
  inStore("readwrite", (store) => {
    const [out, first] = [[], []];
    for (const { id } of taps) {
      const found = store.get(id);
      found.onsuccess = () => {
        if (!found.result) return;
        if (!found.result.sent) first.push(found.result);
        out.push({ ...found.result, sent: true });
        store.put(out.at(-1));
      };
    }
    return { result: { out, first } };
  });

// A phone that knew it had no network has sent nothing.
export const markUnsent = (taps) =>
  changeTaps(Object.fromEntries(taps.map(({ id }) => [id, (tap) => ({ ...tap, sent: false })])));

// Puts taps in the place of others, all at once.
export const replaceTaps = (gone, taps) =>
  inStore("readwrite", (store) => {
    for (const id of gone) store.delete(id);
    for (const tap of taps) store.put(tap);
    return {};
  });

// Changes those that are still here: one that was answered meanwhile does not come back.
export const changeTaps = (changes) =>
  inStore("readwrite", (store) => {
    for (const [id, change] of Object.entries(changes)) {
      const found = store.get(id);
      found.onsuccess = () => found.result && store.put(change(found.result));
    }
    return {};
  });

// Gives the tap as it was, or nothing where it has been answered; it is gone now unless it was sent.
export const takeUnsent = (id) =>
  inStore("readwrite", (store) => {
    const found = store.get(id);
    found.onsuccess = () => found.result && !found.result.sent && store.delete(id);
    return found;
  });
