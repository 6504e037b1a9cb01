// Every number opens its reason, in place. The sentence itself comes from the archive by its address.

import { element } from "./elements.js";

const dialog = () => document.getElementById("why");
const passages = new Map();

export function listen() {
  document.addEventListener("click", (event) => {
    const number = event.target.closest?.("[data-why]");
    if (number && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      open(number.href);
      return;
    }
    const key = event.target.closest?.("[data-correct] button[form=tap]");
    if (key) {
      event.preventDefault();
      correct(key);
      return;
    }
    if (event.target === dialog() || event.target.closest?.("[data-shut]")) {
      event.preventDefault();
      dialog().close();
    }
  });
}

// A key beside the reason says what it should have been. Its page says what would change; nothing is stored yet.
function correct(key) {
  const { correct: action, turn, who } = key.closest("[data-correct]").dataset;
  const token = document.querySelector("#tap [name=csrfmiddlewaretoken]").value;
  const form = element("form", "", { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries({
    csrfmiddlewaretoken: token,
    turn,
    who,
    [key.name]: key.value,
  }))
    form.append(element("input", "", { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}

async function open(address) {
  try {
    const response = await fetch(address, { headers: { "X-Fragment": "1" } });
    if (!response.ok) throw new Error(response.status);
    const drawn = new DOMParser().parseFromString(await response.text(), "text/html");
    dialog().replaceChildren(...drawn.body.childNodes);
  } catch {
    location.href = address;
    return;
  }
  if (!dialog().open) dialog().showModal();
  fillAll(dialog());
}

export function fillAll(root) {
  for (const place of root.querySelectorAll("[data-passage]")) fill(place);
}

async function fill(place) {
  const address = place.dataset.passage;
  try {
    if (!passages.has(address)) {
      const response = await fetch(address, { headers: { "HX-Request": "true" } });
      if (!response.ok) throw new Error(response.status);
      passages.set(address, await response.text());
    }
  } catch {
    return; // the link to the leaflet stays
  }
  const drawn = new DOMParser().parseFromString(passages.get(address), "text/html");
  place.replaceChildren(...drawn.body.childNodes);
}
