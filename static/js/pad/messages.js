// A refusal appears beside the keys, with the sentence it comes from; what waits on this phone is listed.

import { element } from "./elements.js";
import { removeTap, saveTap, tapsOf } from "./outbox.js";
import { redraw } from "./taps.js";
import { send } from "./sync.js";
import { isAhead, refresh, state } from "./render.js";
import { takeBack } from "./undo.js";

const bubble = () => document.getElementById("refusal");
const waiting = () => document.getElementById("waiting");
const KEPT_MS = 30 * 24 * 3_600_000;
let fading = 0;

export function showRefusal(error) {
  const says = bubble();
  says.replaceChildren(error.message ?? "This could not be entered.");
  says.append(" ", ...citesOf(error));
  says.hidden = false;
  placeBesideKeys(says);
  clearTimeout(fading);
  fading = setTimeout(hideRefusal, 9000);
}

const citesOf = ({ cites = [] }) => cites.slice(0, 1).map(linkOf);

function linkOf(cite) {
  const [book, anchor] = typeof cite === "string" ? cite.split("/") : [cite.book, cite.anchor];
  return element("a", "Read the sentence", { href: `/books/${book}/passages/${anchor}/` });
}

// Above the keys, or beside them where they reach up to the top: those that would be right stay free.
function placeBesideKeys(says) {
  const keys = document.getElementById("keys").getBoundingClientRect();
  says.style.right = "";
  says.style.bottom = "auto";
  const above = keys.top - says.offsetHeight - 8;
  const isBeside = above < 8 && keys.left > 200;
  if (isBeside) says.style.right = `${innerWidth - keys.left + 8}px`;
  says.style.top = `${Math.max(8, isBeside ? 8 : above)}px`;
}

export function hideRefusal() {
  bubble().hidden = true;
}

export function clearPending() {
  for (const key of document.querySelectorAll(".key.is-pending, .block.is-pending, button.is-pending")) {
    key.classList.remove("is-pending");
  }
}

export async function listWaiting() {
  const all = await tapsOf(document.getElementById("pad").dataset.code);
  const dropped = all.filter((tap) => tap.dropped);
  const taps = all.filter((tap) => !tap.asked && !tap.dropped && !tap.own);
  // Rarely needed, and never without network: it is loaded with the first question.
  if (all.some((tap) => tap.asked)) import("./twins.js").then(({ showAsked }) => showAsked(send));
  if (all.some((tap) => tap.own)) import("./both-lists.js").then(({ makeOwn }) => makeOwn()).catch(() => {});
  // What this phone has scored is on its pad already.
  const shown = taps.filter((tap) => tap.refused || (Date.now() - tap.made > 900 && !isAhead()));
  if (!taps.length) clearPending();
  waiting().hidden = !shown.length && !dropped.length;
  const list = document.createElement("ul");
  for (const tap of shown) {
    const row = element("li", tap.said);
    row.className = tap.refused ? "is-refused" : "is-pending";
    if (tap.refused) {
      row.append(element("span", tap.refused.message), ...citesOf(tap.refused));
      if (tap.refused.unjudged)
        row.append(element("button", "Send again", { onclick: () => sendAgain(tap) }));
      row.append(
        element("button", "Edit", { onclick: () => edit(tap) }),
        element("button", "Discard", { onclick: () => discard(tap) }),
      );
    } else {
      row.append(element("small", "kept on this phone"));
      if (!tap.sent) row.append(element("button", "Remove", { onclick: () => remove(tap) }));
    }
    list.append(row);
  }
  if (dropped.length) list.append(keptRow(dropped));
  waiting().replaceChildren(list);
  if (taps.some((tap) => !tap.refused) && !shown.length && !isAhead()) setTimeout(listWaiting, 950);
}

// What was dropped is kept here until somebody deletes it, or nobody wants it for long.
function keptRow(dropped) {
  const old = dropped.filter((tap) => Date.now() - tap.dropped > KEPT_MS);
  for (const tap of old) removeTap(tap.id);
  const words = dropped.length === 1 ? "1 dropped entry is" : `${dropped.length} dropped entries are`;
  const row = element("li", `${words} kept on this phone: ${dropped.map((tap) => tap.said).join("; ")}`);
  row.className = "is-dropped";
  const back = async () => (await import("./both-lists.js")).bringBack(send);
  const forget = async () => {
    for (const tap of dropped) await removeTap(tap.id);
    await listWaiting();
  };
  row.append(
    element("button", "Bring back", { onclick: back }),
    element("button", "Delete", { onclick: forget }),
  );
  return row;
}

async function remove(tap) {
  await takeBack(tap.id, redraw);
  await listWaiting();
  send();
}

async function sendAgain(tap) {
  await saveTap({ ...tap, refused: null });
  send();
}

// What was refused is opened where it was made: a part at its question, a correction on its page with what
// was chosen there, a whole entry at its key.
async function edit(tap) {
  if (tap.kind === "entry" && tap.body.of) {
    if (!navigator.onLine) {
      showRefusal({ message: "Corrections need the network. This one stays here until then.", cites: [] });
      return;
    }
    await removeTap(tap.id);
    correct(tap.body);
    return;
  }
  await discard(tap);
  if (tap.body.at) Object.assign(state, { at: tap.body.at.join("/"), again: true });
  await refresh().catch(() => {});
  const key = tap.kind === "entry" ? keyOf(tap.body) : document.querySelector("#keys .key");
  key?.focus();
  showRefusal({ message: `${tap.said}: tap what it should have been.`, cites: [] });
}

function keyOf({ player, type }) {
  const keys = [...document.querySelectorAll("#pad [name=enter]")].map((key) => [key, JSON.parse(key.value)]);
  const near = keys.filter(([, body]) => body.player === player);
  return (near.find(([, body]) => body.type === type) ?? near[0])?.[0];
}

function correct({ of, entry }) {
  const { code } = document.getElementById("pad").dataset;
  const address = `/pads/${code}/correct/${encodeURIComponent(of)}/`;
  if (!entry) {
    location.assign(address);
    return;
  }
  const form = element("form", "", { method: "post", action: address, hidden: true });
  const token = document.querySelector("#tap [name=csrfmiddlewaretoken]").value;
  for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token, enter: JSON.stringify(entry) })) {
    form.append(element("input", "", { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}

async function discard(tap) {
  await removeTap(tap.id);
  await listWaiting();
  send();
}
