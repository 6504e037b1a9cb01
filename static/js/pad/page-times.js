// Days and times on the pages around the pads, by the phone's own clock and in its own language. The server writes
// them in UTC, for phones without a script.

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[data-local]")) {
  const when = new Date(time.dateTime);
  if (!Number.isNaN(when.getTime())) time.textContent = clock.format(when);
}
