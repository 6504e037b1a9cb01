// What was decided about pairs is kept on the device until it is published; restored, the server draws it again.

import { keepDraft } from "./drafts.js";

const form = document.querySelector("form[data-draft]");

form.addEventListener("restored", () => form.requestSubmit(form.querySelector("[value='preview']")));
keepDraft(form);
