// Corrects an old entry without a page for each tap. Taps wait in a queue and are sent one after another, each with
// the form as the newest answer drew it: a quick second tap is neither lost nor made for a form that is gone.
//
// This is no module, and it stands in the head: it must listen before the first key can be tapped.

(() => {
  const TIMEOUT = 15000;
  const LONGEST_WAIT = 15000;
  const NO_NETWORK = "No network: what you tapped is sent as soon as it is back.";
  const BUSY = "The server is busy: what you tapped is sent again in a moment.";
  const NOT_READY = "The correction has changed since. Look at it again, then store it.";

  const REFUSAL = ":scope > [role=alert]:not(#trouble)";

  const ANCHORS = [".steps", "#whole", "#forgotten"];

  const finger = import("./finger.js").catch(() => null);
  const taps = [];
  let sending = false;
  let refusals = 0;
  let wake = () => {};

  const page = () => document.querySelector(".correctpage");
  const form = () => document.getElementById("tap");

  document.addEventListener("submit", (event) => {
    const key = event.submitter;
    if (event.target.id !== "tap" || !key) return;
    event.preventDefault();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(12);
    key.classList.add("is-pending");
    taps.push(tapOf(key));
    send();
  });
  window.addEventListener("online", () => wake());
  // Going back to this page after it has stored something shows it as it was, with a queue that has ended.
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());

  // The tens belong to the tap that was made with them, not to those chosen by the time it is sent.
  function tapOf(key) {
    const fields = { [key.name]: key.value };
    if (key.name === "units") fields.tens = document.querySelector("input[name=tens]:checked").value;
    if (key.name === "typed") fields.sum = document.querySelector("[data-keypad]").value;
    return { name: key.name, fields, refusals, anchor: anchorOf(key) };
  }

  const anchorOf = (key) => ANCHORS.find((name) => key.closest(name)) ?? "#keys";

  async function send() {
    if (sending) return;
    sending = true;
    let wait = 1000;
    while (taps.length) {
      const tap = taps[0];
      if (tap.name === "store" && !chooseStore(tap)) continue;
      const answer = await post(tap);
      if (answer.left) return; // the browser is on its way to another page
      if (answer.trouble) {
        say(answer.trouble);
        await pause(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
        continue;
      }
      wait = 1000;
      taps.shift();
      await (await finger)?.fingerUp();
      show(answer.html, tap);
    }
    sending = false;
  }

  // What is stored is the correction as the taps before have left it.
  function chooseStore(tap) {
    const store = page().querySelector("[name=store]");
    if (store) {
      tap.fields = { store: store.value };
      return true;
    }
    taps.shift();
    say(NOT_READY);
    return false;
  }

  async function post(tap) {
    const body = new URLSearchParams(tap.fields);
    for (const [name, value] of new FormData(form())) if (!(name in tap.fields)) body.append(name, value);
    let response;
    let html;
    try {
      response = await fetch(location.pathname, {
        method: "POST",
        body,
        headers: { "X-Fragment": "1" },
        signal: AbortSignal.timeout(TIMEOUT),
      });
      html = await response.text();
    } catch {
      return { trouble: NO_NETWORK };
    }
    if (response.status >= 500 || [408, 429].includes(response.status)) return { trouble: BUSY };
    if (response.status === 201) location.assign(response.headers.get("Location"));
    else if (html.includes('id="tap"')) return { html };
    else location.reload();
    return { left: true };
  }

  function pause(milliseconds) {
    return new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, milliseconds);
    });
  }

  function show(html, tap) {
    const drawn = new DOMParser().parseFromString(html, "text/html").querySelector(".correctpage");
    const focus = focusOf(document.activeElement);
    const before = topOf(tap.anchor);
    const refusal = page().querySelector(REFUSAL);
    update(page(), drawn);
    if (page().querySelector(REFUSAL)) refusals += 1;
    // A tap made before a refusal could be read does not wipe it away.
    else if (refusal && tap.refusals < refusals) page().firstElementChild.after(refusal);
    focusAgain(focus);
    // The keys stay under the finger, whatever has come or gone above them.
    const moved = topOf(tap.anchor) - before;
    if (moved && scrollY > 0) scrollBy({ top: moved, behavior: "instant" });
  }

  const topOf = (name) => page().querySelector(name)?.getBoundingClientRect().top ?? 0;

  const nameOf = (part) => part.id || part.getAttribute("class") || part.tagName;

  // Parts that are the same stay; in a part that asks the same question each key stays, and only what it says changes.
  // So nothing that is being read, focused or pressed is taken away.
  function update(here, drawn) {
    const left = new Map([...here.children].map((part) => [nameOf(part), part]));
    let last = null;
    for (const fresh of [...drawn.children]) {
      const old = left.get(nameOf(fresh));
      left.delete(nameOf(fresh));
      if (old?.id === "pad") update(old, fresh);
      else if (old && headingOf(old) === headingOf(fresh)) morph(old, fresh);
      else if (old) old.replaceWith(fresh);
      else if (last) last.after(fresh);
      else here.prepend(fresh);
      last = old?.isConnected ? old : fresh;
    }
    for (const gone of left.values()) gone.remove();
  }

  const headingOf = (part) => part.querySelector("h2")?.textContent;

  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeName !== fresh.nodeName) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.data = fresh.data;
      return;
    }
    // A number that is being put together from tens and units stays open.
    for (const name of old.getAttributeNames()) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const name of fresh.getAttributeNames()) old.setAttribute(name, fresh.getAttribute(name));
    const [nodes, others] = [[...old.childNodes], [...fresh.childNodes]];
    nodes.slice(others.length).forEach((node) => node.remove());
    others.forEach((node, place) => (nodes[place] ? morph(nodes[place], node) : old.append(node)));
  }

  const partOf = (element) => element.closest("#keys, #sheet, .correctpage > *");
  const keysIn = (part) => [...part.querySelectorAll("button, input, summary, a[href]")];

  function focusOf(element) {
    const part = page().contains(element) && partOf(element);
    if (!part) return null;
    const { name, value, textContent } = element;
    return {
      element,
      name,
      value,
      words: textContent,
      part: nameOf(part),
      place: keysIn(part).indexOf(element),
    };
  }

  // The same key; or one that says the same; or the one that is now in its place.
  function focusAgain(focus) {
    if (!focus || focus.element.isConnected) return;
    const all = keysIn(page());
    const part = [...page().querySelectorAll("*")].find((one) => nameOf(one) === focus.part);
    const near = part ? keysIn(part) : [];
    const found =
      all.find((key) => key.name === focus.name && key.value === focus.value && key.name) ??
      all.find((key) => key.textContent === focus.words) ??
      near[Math.min(focus.place, near.length - 1)] ??
      all[0];
    found?.focus({ preventScroll: true });
  }

  function say(words) {
    const old = document.getElementById("trouble");
    const says = old ?? document.createElement("p");
    if (says.textContent === words) return;
    Object.assign(says, { id: "trouble", className: "notice notice--fault", textContent: words });
    says.setAttribute("role", "alert");
    if (!old) page().firstElementChild.after(says);
  }
})();
