// Rows move in place, and the key that moved one keeps the focus; what is written is kept on the device until it
// is published. Without this the server moves the rows.

import { keepDraft } from "./drafts.js";

const form = document.querySelector("form[data-draft]");
if (form) keepDraft(form);

for (const list of document.querySelectorAll("[data-rows]")) {
  list.addEventListener("click", (event) => {
    const key = event.target.closest("[data-move]");
    if (!key) return;
    const row = key.closest("[data-row]");
    const up = key.dataset.move === "up";
    const other = up ? row.previousElementSibling : row.nextElementSibling;
    event.preventDefault();
    if (!other?.matches("[data-row]")) return;
    if (up) other.before(row);
    else other.after(row);
    key.focus();
    form?.dispatchEvent(new Event("input"));
  });
}
