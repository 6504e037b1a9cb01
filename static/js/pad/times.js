// Times as they are written on a phone: by its own clock, in its own language.

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

// The server writes times in UTC, for phones without a script.
export function localTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = clock.format(when);
  }
}

// A pad that comes from the phone's own store says how old it is.
export function asOf() {
  const { seen, head } = document.getElementById("pad").dataset;
  if (!seen) return "";
  return `As of ${clock.format(new Date(seen))}, ${head} ${head === "1" ? "entry" : "entries"}`;
}
