// The network was lost twice: this phone is told that it can play without. Nothing is loaded for it unasked.

import { element } from "./elements.js";

const LOSSES = 2;

export function offer() {
  let losses = 0;
  try {
    losses = Number(localStorage.losses);
  } catch {
    return;
  }
  if (!(losses >= LOSSES) || document.getElementById("offer") || !window.isSecureContext) return;
  const says = element("p", "The network was lost twice. ", { id: "offer", className: "offer" });
  says.setAttribute("role", "status");
  const close = element("button", "Not now", { type: "button", className: "button button--quiet" });
  close.onclick = () => {
    localStorage.losses = "never";
    says.remove();
  };
  says.append(element("a", "Play without network", { href: "/phone/" }), " ", close);
  document.getElementById("pad").append(says);
}
