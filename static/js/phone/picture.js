// The picture of a result: Python says what is on it, the browser draws it, and it leaves as a PNG, as the site sends one.

const FONTS = /url\("([^"]+)"\)/g;

const dataOf = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

// A picture that is drawn alone loads nothing: its fonts have to be in it.
async function withFonts(svg) {
  const addresses = [...new Set([...svg.matchAll(FONTS)].map(([, address]) => address))];
  const fonts = await Promise.all(addresses.map(async (one) => dataOf(await (await fetch(one)).blob())));
  return addresses.reduce((text, address, number) => text.replaceAll(address, fonts[number]), svg);
}

export async function asPng({ headers, body }) {
  const svg = await withFonts(new TextDecoder().decode(body));
  const image = new Image();
  image.src = await dataOf(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return {
    status: 200,
    headers: [...others, ["Content-Type", "image/png"]],
    body: new Uint8Array(await png.arrayBuffer()),
  };
}
