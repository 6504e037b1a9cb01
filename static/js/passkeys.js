// Passkeys: fetches the site's question, lets the browser ask the device, and puts the answer into the form.
// The site judges it; nothing is decided here.

const knows = () => Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);

async function question(part, form) {
  const body = new URLSearchParams({
    purpose: part.dataset.passkey,
    csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value,
  });
  const answer = await fetch(part.dataset.question, { method: "POST", body });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.says);
  return told;
}

function ask(part, options) {
  if (part.dataset.passkey === "register")
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    });
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

function words(part, fault) {
  // The browser does not tell a cancelled question from a device without a passkey.
  if (fault.name === "NotAllowedError") return part.dataset.none;
  return fault.name === "InvalidStateError" ? part.dataset.known : fault.message;
}

async function use(part, form) {
  const told = part.querySelector("[role=status]");
  const button = part.querySelector("button");
  // A new passkey needs the rest of the form first: the question would else be asked for nothing.
  if (part.dataset.passkey === "register" && !form.reportValidity()) return;
  told.textContent = "";
  button.disabled = true;
  try {
    const credential = await ask(part, await question(part, form));
    form.elements[part.dataset.field].value = JSON.stringify(credential.toJSON());
    if ("send" in part.dataset) form.submit();
    else told.textContent = part.dataset.done;
  } catch (fault) {
    told.textContent = words(part, fault);
  }
  button.disabled = false;
}

for (const words of document.querySelectorAll("[data-scriptless]")) words.remove();
for (const part of document.querySelectorAll("[data-passkey]")) {
  const form = part.closest("form");
  part.hidden = false;
  if (knows()) part.querySelector("button").addEventListener("click", () => use(part, form));
  else {
    part.querySelector("button").remove();
    part.querySelector("[role=status]").textContent = part.dataset.unknown;
  }
}
