// A refusal appears where the finger is, with the sentence it comes from; what waits on this phone is listed.

import { drop, keep, kept } from "./outbox.js";
import { lastPressed } from "./taps.js";
import { send } from "./sending.js";

const bubble = () => document.getElementById("refusal");
const waiting = () => document.getElementById("waiting");
let fading = 0;

const element = (name, words, properties = {}) =>
  Object.assign(document.createElement(name), { textContent: words, ...properties });

export function refuse(error) {
  const says = bubble();
  says.replaceChildren(error.message ?? "This could not be entered.");
  for (const cite of error.cites ?? []) {
    const [book, anchor] = typeof cite === "string" ? cite.split("/") : [cite.book, cite.anchor];
    const address = `/books/${book}/passages/${anchor}/`;
    says.append(" ", element("a", "Read the sentence", { href: address }));
    break;
  }
  says.hidden = false;
  const key = lastPressed();
  const box = key?.isConnected ? key.getBoundingClientRect() : null;
  const above = box ? box.top - says.offsetHeight - 10 : innerHeight / 2;
  says.style.top = `${Math.max(8, above)}px`;
  says.style.bottom = "auto";
  clearTimeout(fading);
  fading = setTimeout(hush, 9000);
}

export function hush() {
  bubble().hidden = true;
}

export function clearPending() {
  for (const key of document.querySelectorAll(".key.is-pending, .block.is-pending, button.is-pending")) {
    key.classList.remove("is-pending");
  }
}

export async function listWaiting() {
  const taps = await kept(document.getElementById("pad").dataset.code);
  const shown = taps.filter((tap) => tap.refused || Date.now() - tap.made > 900);
  if (!taps.length) clearPending();
  waiting().hidden = !shown.length;
  const list = document.createElement("ul");
  for (const tap of shown) {
    const row = element("li", tap.said);
    row.className = tap.refused ? "is-refused" : "is-pending";
    if (tap.refused) {
      row.append(element("span", tap.refused.message));
      if (tap.refused.unjudged) row.append(element("button", "Send again", { onclick: () => sendAgain(tap) }));
      row.append(
        element("button", "Edit", { onclick: () => discard(tap, "Tap what it should have been.") }),
        element("button", "Discard", { onclick: () => discard(tap) }),
      );
    } else row.append(element("small", "kept on this phone"));
    list.append(row);
  }
  waiting().replaceChildren(list);
  if (taps.some((tap) => !tap.refused) && !shown.length) setTimeout(listWaiting, 950);
}

async function sendAgain(tap) {
  await keep({ ...tap, refused: null });
  send();
}

async function discard(tap, words) {
  await drop(tap.id);
  await listWaiting();
  if (words) refuse({ message: `${tap.said}: ${words}`, cites: [] });
  send();
}
