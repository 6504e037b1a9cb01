// On every page that this phone has drawn: answers the service worker, and hears what other pages have changed.

import { listen, warm } from "./host.js";
import { move } from "./move.js";
import { keepUpToDate } from "./update.js";

listen();
warm(location.pathname).then(keepUpToDate);

// In place of the site's stream: the pads here have no other phones, but may be open in two pages.
class LocalEvents extends EventTarget {
  readyState = 1;
  #news = new BroadcastChannel("tallyroom-here");

  constructor(address) {
    super();
    const code = address.split("/")[2];
    this.#news.onmessage = ({ data }) => {
      if (data.code !== code) return;
      this.#tell("entry", { number: data.entries });
      this.#tell("pad", { revision: data.revision });
      this.#tell("draft", { draft: data.draft });
    };
  }

  #tell(kind, data) {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }

  close() {
    this.#news.close();
    this.readyState = 2;
  }
}
LocalEvents.CLOSED = 2;
window.EventSource = LocalEvents;

for (const button of document.querySelectorAll("[data-move]"))
  button.addEventListener("click", () => move(button));
