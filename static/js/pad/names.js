// The names at the table: remembered on this phone, and moved up or down before the first entry.

const KEY = "tallyroom-names";
const list = document.getElementById("names");
const form = document.getElementById("starting");

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

const fields = () => [...list.querySelectorAll("input[name=name]")];

function recall() {
  const names = remembered();
  document
    .getElementById("remembered")
    .replaceChildren(
      ...names.map((name) => Object.assign(document.createElement("option"), { value: name })),
    );
  if (fields().some((field) => field.value)) return;
  const last = JSON.parse(localStorage.getItem(`${KEY}-last`) ?? "[]").slice(0, Number(form.dataset.most));
  fields().forEach((field, seat) => (field.value = last[seat] ?? ""));
}

function remember() {
  const now = fields()
    .map((field) => field.value.trim())
    .filter(Boolean);
  try {
    localStorage.setItem(`${KEY}-last`, JSON.stringify(now));
    localStorage.setItem(KEY, JSON.stringify([...new Set([...now, ...remembered()])].slice(0, 24)));
  } catch {
    // A phone that keeps nothing still plays.
  }
}

function mover(words, sign, by) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "name__move";
  button.textContent = sign;
  button.setAttribute("aria-label", words);
  button.addEventListener("click", () => {
    const all = fields();
    const here = all.indexOf(button.closest("li").querySelector("input[name=name]"));
    const there = here + by;
    if (there < 0 || there >= all.length) return;
    [all[here].value, all[there].value] = [all[there].value, all[here].value];
    all[there].focus();
  });
  return button;
}

for (const row of list.querySelectorAll("li")) {
  row.append(mover("Move up one seat", "↑", -1));
}
recall();
form.addEventListener("submit", remember);
