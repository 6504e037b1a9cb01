// What another phone has entered too is asked about, by the server's question; the tap stays in the outbox until then.

import { notePanel } from "./bounces.js";
import { element } from "./elements.js";
import { removeTap, saveTap, tapsOf } from "./outbox.js";
import { seenHead } from "./render.js";

const place = () => document.getElementById("asked");

// The oldest question; the next comes when it is answered.
export async function showAsked(send) {
  const taps = await tapsOf(document.getElementById("pad").dataset.code);
  const tap = taps.find((one) => one.asked);
  const asks = place();
  if (asks.dataset.of === (tap?.id ?? "")) return;
  asks.dataset.of = tap?.id ?? "";
  asks.hidden = !tap;
  if (!tap) return;
  const { message, ask } = tap.asked;
  const answer = async (work) => {
    await work(tap);
    await showAsked(send);
    send();
  };
  asks.replaceChildren(
    element("p", message, { id: "asked-words" }),
    element("button", ask.keep, { className: "button button--ink", onclick: () => answer(keep) }),
    element("button", ask.change, { className: "button", onclick: () => answer(change) }),
  );
  notePanel();
  asks.focus({ preventScroll: true });
}

const keep = (tap) => removeTap(tap.id);

// It goes again under its own id: a lost answer is no third one. Whoever has thought about it for long has seen what it
// was asked about: that is no time without network.
function change({ asked, ...tap }) {
  const { body, ...instead } = asked.ask.instead;
  const chosen = { head: seenHead(), at: Date.now() };
  const next = { ...tap, ...instead, chosen, sent: false };
  if (body) next.body = instead.kind === "entry" ? { id: tap.id, ...body } : body;
  return saveTap(next);
}
