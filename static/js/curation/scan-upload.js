// Pictures sent one by one, each with its own bar; one that failed can be tried again. Without this file the
// form sends them all at once.

const form = document.querySelector("[data-upload]");
const list = form.querySelector("[data-files]");
const said = form.querySelector("[data-said]");
const bytesMax = (file) =>
  Number(/\.(pdf|tiff?)$/i.test(file.name) ? form.dataset.mostDocument : form.dataset.most);
const AT_ONCE = 2;
const waiting = [];
let underWay = 0;

form.querySelector("[data-send]").hidden = true;

function addRow(file) {
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

function finish(one, status, sentence, address) {
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
      addFiles([one.file]);
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
    underWay -= 1;
    let file = null;
    try {
      file = JSON.parse(asked.responseText).files[0];
    } catch {
      /* it is no answer of ours */
    }
    if (file) finish(one, file.status, file.sentence, file.address);
    else if (asked.status === 403)
      finish(one, "failed", "You are signed out. Sign in in another tab, then try again.");
    else if (asked.status === 507)
      finish(one, "failed", "The disk of the site is full. Try again when there is room.");
    else finish(one, "failed", "It did not arrive. Look whether there is a network, then try again.");
    sendNext();
  });
  asked.open("POST", form.action);
  asked.setRequestHeader("Accept", "application/json");
  asked.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
  asked.send(body);
}

function sendNext() {
  while (underWay < AT_ONCE && waiting.length) {
    underWay += 1;
    send(waiting.shift());
  }
  if (!underWay) refreshList();
}

// The list below follows once everything has come in; nothing that is being typed there is replaced before.
async function refreshList() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const rows = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#scan-rows");
  if (rows) document.querySelector("#scan-rows").replaceWith(document.adoptNode(rows));
}

function addFiles(files) {
  for (const file of files) {
    const one = addRow(file);
    if (file.size > bytesMax(file))
      finish(
        one,
        "refused",
        `This file is too large: at most ${Math.floor(bytesMax(file) / 1e6)} MB. Send it with less resolution.`,
      );
    else waiting.push(one);
  }
  sendNext();
}

form.addEventListener("change", (event) => {
  if (event.target.type !== "file") return;
  addFiles([...event.target.files]);
  event.target.value = "";
});
for (const name of ["dragover", "drop"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    if (name === "drop") addFiles([...event.dataTransfer.files]);
  });
}
form.dataset.ready = "";
