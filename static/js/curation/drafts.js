// Drafts of forms: what is written in a form is kept on this device until it is published, and offered
// again after a crash, a reload or a wrong turn.

const SENT = "draft-sent";
const NOT_SAVING = ["show", "preview"];
const LEFT_OUT = ["csrfmiddlewaretoken", "parent", "proposal"];

// Some browsers have no storage, or forbid it; the forms work all the same.
function stored(place, key) {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}
function store(place, key, value) {
  try {
    value === null ? place().removeItem(key) : place().setItem(key, value);
  } catch {
    /* no storage here */
  }
}
const device = () => localStorage;
const tab = () => sessionStorage;

const isChoice = (field) => field.type === "checkbox" || field.type === "radio";
const written = (field) => (isChoice(field) ? field.checked : field.value);
const fieldsOf = (form) =>
  [...form.elements].filter(
    (field) =>
      field.name && !LEFT_OUT.includes(field.name) && !["BUTTON", "FIELDSET"].includes(field.tagName),
  );

function byName(pairs) {
  const found = new Map();
  for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

// `uneven(name, fields, values)` is asked where the form now has more or fewer fields of a name than the draft.
export function keepDraft(form, uneven = () => {}) {
  const key = `draft:${form.dataset.draft ?? location.pathname}`;
  const now = () => JSON.stringify(fieldsOf(form).map((field) => [field.name, written(field)]));
  const drawn = now();
  const keep = () => {
    const fields = now();
    store(
      device,
      key,
      fields === drawn && isFresh
        ? null
        : JSON.stringify({ fields, at: Date.now(), parent: form.elements.parent.value }),
    );
  };

  // A form that was sent and came back holds what was written; a fresh one may have to be filled from the draft.
  const isFresh = "fresh" in form.dataset;
  store(tab, SENT, null);
  if ("saved" in form.dataset) store(device, key, null);
  else if (!isFresh) keep();
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    if (!NOT_SAVING.includes(event.submitter?.value)) store(tab, SENT, key);
  });

  const draft = isFresh && JSON.parse(stored(device, key) ?? "null");
  if (!draft || draft.fields === drawn) return;
  const offer = form.querySelector("[data-offer]");
  offer.querySelector("[data-offer-when]").textContent = new Date(draft.at).toLocaleString();
  offer.hidden = false;
  offer.querySelector("[data-offer-drop]").addEventListener("click", () => {
    store(device, key, null);
    offer.hidden = true;
  });
  offer.querySelector("[data-offer-take]").addEventListener("click", () => {
    const there = byName(fieldsOf(form).map((field) => [field.name, field]));
    for (const [name, values] of byName(JSON.parse(draft.fields))) {
      const fields = there.get(name) ?? [];
      if (fields.length !== values.length) uneven(name, fields, values);
      else
        fields.forEach((field, i) =>
          isChoice(field) ? (field.checked = values[i]) : (field.value = values[i]),
        );
    }
    // It rests on the revision it was written over, so that what others did since is joined in, not lost.
    form.elements.parent.value = draft.parent;
    offer.hidden = true;
    form.dispatchEvent(new Event("restored"));
  });
}

// A page that says "published", "proposed" or "kept" ends the draft that led to it; where it names one, no other.
const settled = document.querySelector("[data-settled]");
if (settled) {
  const key = stored(tab, SENT);
  const own = settled.dataset.settled;
  if (key && (!own || key === `draft:${own}`)) store(device, key, null);
  store(tab, SENT, null);
}
