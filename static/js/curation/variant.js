// A variant's form keeps what is written, and an answer about its options goes once they are others.
// Everything else in it works without a script.

import { keepDraft } from "./drafts.js";

const form = document.querySelector("[data-variant]");

function notTried() {
  form.querySelector("[data-result]").hidden = true;
  form.querySelector("[data-untried]").hidden = false;
}

form.addEventListener("input", (event) => {
  if (event.target.name.startsWith("option-")) notTried();
});
form.addEventListener("restored", notTried);
keepDraft(form);
