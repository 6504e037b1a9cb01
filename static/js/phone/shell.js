// No page is open that could answer: this one starts Python, asks it for the page, and becomes it.

import { ask, listen } from "./host.js";

listen();
const headers = { accept: "text/html", host: location.host, origin: location.origin };
// Any other page of the site needs the network, and says so.
const IN_KIT = /^\/(?:pads|evenings)\/here|^\/books\/[^/]+\/(?:passages\/|\d+\/$)|^\/q\//i;
const path = IN_KIT.test(location.pathname) ? location.pathname + location.search : "/pads/here-away/";
const answer = await ask({ method: "GET", path, headers, body: new ArrayBuffer(0) });
const header = (wanted) => answer.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
const type = header("content-type");
if (header("location") && answer.status >= 300 && answer.status < 400) location.replace(header("location"));
else if (type.startsWith("text/html")) {
  document.open();
  document.write(new TextDecoder().decode(answer.body));
  document.close();
} else if (answer.status === 200)
  // A file, such as the pad's, is none of our pages: names in it stay text.
  location.replace(URL.createObjectURL(new Blob([answer.body], { type })));
// The address stays: loading it again asks again.
else document.getElementById("opening").textContent = wordsOf(new TextDecoder().decode(answer.body));

function wordsOf(text) {
  return type.startsWith("application/json") ? JSON.parse(text).error.message : text;
}
