// A variant's form keeps what is written. Everything else in it works without a script.

import { keepDraft } from "./drafts.js";

keepDraft(document.querySelector("[data-variant]"));
