// Every number opens its reason, in place. The sentence itself comes from the archive by its address.

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
    if (event.target === dialog() || event.target.closest?.("[data-shut]")) {
      event.preventDefault();
      dialog().close();
    }
  });
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
