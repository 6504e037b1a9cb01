// The check for a phone that nobody here has tried: what it can do, how long it takes, and whether it scores the same.

import { selfCheck } from "./host.js";
import { manifest } from "./kit.js";

const find = (name) => document.querySelector(`#checking [data-${name}]`);

async function check() {
  find("check").disabled = true;
  find("says").textContent = "Loading…";
  const began = performance.now();
  const kit = await manifest();
  const { differences, milliseconds } = await selfCheck(kit);
  const estimate = await navigator.storage?.estimate?.();
  const report = [
    differences.length ? `Differs: ${differences.join(" ")}` : "Scores as the site does.",
    `Browser: ${navigator.userAgent}`,
    `Python started in ${milliseconds} ms; all of it took ${Math.round(performance.now() - began)} ms`,
    `Secure: ${window.isSecureContext}, service worker: ${"serviceWorker" in navigator}`,
    `Home screen: ${matchMedia("(display-mode: standalone)").matches}, kept for good: ${await navigator.storage?.persisted?.()}`,
    `Room: ${Math.round((estimate?.usage ?? 0) / 1e6)} of ${Math.round((estimate?.quota ?? 0) / 1e6)} MB`,
    `Kit: ${kit.version}`,
  ];
  find("says").textContent = differences.length ? "This phone cannot." : "Yes, this phone can.";
  find("report").textContent = report.join("\n");
  find("report").hidden = false;
  find("check").disabled = false;
}

find("check").hidden = false;
find("check").addEventListener("click", () =>
  check().catch((fault) => {
    find("says").textContent = `No: ${fault.message}`;
    find("check").disabled = false;
  }),
);
