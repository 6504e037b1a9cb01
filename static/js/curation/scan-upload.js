// Pictures sent one by one, each with its own bar; one that failed can be tried again. Without this file the
// form sends them all at once.

const form = document.querySelector("[data-upload]");
const list = form.querySelector("[data-files]");
const said = form.querySelector("[data-said]");
const most = Number(form.dataset.most);
const AT_ONCE = 2;
const waiting = [];
let going = 0;

form.querySelector("[data-send]").hidden = true;

function row(file) {
  const item = document.createElement("li");
  item.className = "upload__file";
  const words = document.createElement("span");
  const name = document.createElement("b");
  const state = document.createElement("small");
  const bar = document.createElement("progress");
  name.textContent = file.name;
  state.textContent = "Waiting";
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", `${file.name} on its way`);
  words.append(name, state, bar);
  item.append(words);
  list.append(item);
  return { file, item, state, bar };
}

function end(one, status, sentence, address) {
  one.item.classList.add(`is-${status}`);
  one.state.textContent = sentence;
  one.bar.remove();
  said.textContent = `${one.file.name}: ${sentence}`;
  const doing = address
    ? document.createElement("a")
    : status === "failed"
      ? document.createElement("button")
      : null;
  if (!doing) return;
  doing.className = "button button--quiet";
  doing.textContent = address ? "Open" : "Try again";
  const which = document.createElement("span");
  which.className = "unseen";
  which.textContent = ` ${one.file.name}`;
  doing.append(which);
  if (address) {
    doing.href = address;
  } else {
    doing.type = "button";
    doing.addEventListener("click", () => {
      one.item.remove();
      take([one.file]);
    });
  }
  one.item.append(doing);
}

function send(one) {
  const asked = new XMLHttpRequest();
  const body = new FormData();
  // The server reads a name as the end of a path; one that ended in a backslash would be no name at all.
  body.append("files", one.file, one.file.name.replace(/\\|&(?=[#\w])/g, "_"));
  asked.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    one.bar.value = event.loaded / event.total;
    one.state.textContent =
      event.loaded < event.total ? `${Math.floor((100 * event.loaded) / event.total)} %` : "Being examined";
  });
  asked.addEventListener("loadend", () => {
    going -= 1;
    let file = null;
    try {
      file = JSON.parse(asked.responseText).files[0];
    } catch {
      /* it is no answer of ours */
    }
    if (file) end(one, file.status, file.sentence, file.address);
    else if (asked.status === 403)
      end(one, "failed", "You are signed out. Sign in in another tab, then try again.");
    else if (asked.status === 507)
      end(one, "failed", "The disk of the site is full. Try again when there is room.");
    else end(one, "failed", "It did not arrive. Look whether there is a network, then try again.");
    next();
  });
  asked.open("POST", form.action);
  asked.setRequestHeader("Accept", "application/json");
  asked.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
  asked.send(body);
}

function next() {
  while (going < AT_ONCE && waiting.length) {
    going += 1;
    send(waiting.shift());
  }
  if (!going) refresh();
}

// The list below follows once everything has come in; nothing that is being typed there is replaced before.
async function refresh() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const rows = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#scan-rows");
  if (rows) document.querySelector("#scan-rows").replaceWith(document.adoptNode(rows));
}

function take(files) {
  for (const file of files) {
    const one = row(file);
    if (file.size > most)
      end(
        one,
        "refused",
        `This file is too large: at most ${Math.floor(most / 1e6)} million bytes. Send it with less resolution.`,
      );
    else waiting.push(one);
  }
  next();
}

form.addEventListener("change", (event) => {
  if (event.target.type !== "file") return;
  take([...event.target.files]);
  event.target.value = "";
});
for (const name of ["dragover", "drop"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    if (name === "drop") take([...event.dataTransfer.files]);
  });
}
form.dataset.ready = "";
