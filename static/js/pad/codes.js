// A long game has several codes, and the camera opens one page for each: the phone keeps those it has seen.

const KEY = "codes";
const HOUR = 3_600_000;
const field = document.getElementById("codes");
const game = (code) => code.split("/").pop().split(".").slice(1, 3).join(".");

function seen() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return kept.filter(({ code, at }) => game(code) === game(field.value) && Date.now() - at < HOUR);
  } catch {
    return [];
  }
}

const codes = new Set([...seen().map(({ code }) => code), field.value.trim()]);
localStorage.setItem(KEY, JSON.stringify([...codes].map((code) => ({ code, at: Date.now() }))));
field.value = [...codes].join("\n");
if (codes.size === Number(field.value.split("/").pop().split(".")[1])) {
  localStorage.removeItem(KEY);
  document.getElementById("codes-form").requestSubmit();
}
