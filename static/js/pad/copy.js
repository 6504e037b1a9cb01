// A link is copied in one tap. Without a clipboard (plain http) it is selected, for the phone's own menu.

for (const field of document.querySelectorAll("[data-copy]")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  button.className = "button button--quiet";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  field.after(button);
}
