// Times as the phone writes them: by its own clock, in its own language.

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

// The server writes times in UTC, for phones without a script.
export function localTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = clock.format(when);
  }
}

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

// A pad that comes from the phone's own store says how old it is: nobody could be asked if it is still there.
export function asOf() {
  const { seen, head } = document.getElementById("pad").dataset;
  if (!seen) return "";
  const when = new Date(seen);
  const isToday = when.toDateString() === new Date().toDateString();
  const time = isToday ? clock.format(when) : `${day.format(when)}, ${clock.format(when)}`;
  return `As of ${time}, ${head} ${head === "1" ? "entry" : "entries"}; it may be gone by now`;
}
