// Share, where the device has it: the links that download a picture become keys that hand it on.

const pictures = document.querySelector("[data-pictures]");
const fileOf = (blob, link) => new File([blob], link.download, { type: "image/png" });

async function share(event) {
  const link = event.target.closest("a[download]");
  if (!link) return;
  event.preventDefault();
  try {
    const blob = await (await fetch(link.href)).blob();
    await navigator.share({ files: [fileOf(blob, link)], title: pictures.dataset.pictures });
  } catch (fault) {
    // Who closes the sheet has changed his mind; whatever else fails, the picture can still be downloaded.
    if (fault.name === "AbortError") return;
    pictures.removeEventListener("click", share);
    link.click();
  }
}

const probe = pictures && fileOf(new Blob(), pictures.querySelector("a"));
if (probe && navigator.canShare?.({ files: [probe] })) {
  for (const link of pictures.querySelectorAll("a")) {
    link.textContent = link.textContent.replace("Download", "Share");
  }
  pictures.addEventListener("click", share);
}
