// Tools for the marks of a text, put around what is selected or the word at the cursor. Each tool gives the words
// that take the place of the selection, and what of them is selected then: what one is most likely to write next.

const LETTERS = /[\p{L}\p{N}’'-]/u;
const PREFIX = /^(\[[a-z-]+(?: (?:printed|reading) [a-z0-9-]+)?\](?: |$))?(\+ )?/;
const NAMED = /\| ([a-z0-9-]+)[}⟩]/g;
const MAX_NAME = 40;

const slug = (words) =>
  words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");

// A name for a note that no other note has, made from its words.
export function freeName(words, otherwise, taken) {
  const name = slug(words) || otherwise;
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

export const namesIn = (texts) => texts.flatMap((text) => [...text.matchAll(NAMED)].map((found) => found[1]));

// Nothing selected: the word at the cursor is meant.
export function meant({ value, selectionStart: start, selectionEnd: end }) {
  if (start !== end) {
    const words = value.slice(start, end);
    if (!words.trim()) return { start, end: start };
    return {
      start: start + words.length - words.trimStart().length,
      end: end - words.length + words.trimEnd().length,
    };
  }
  // Not how the line is set, nor the name of a passage, but what comes after it.
  for (const { index, 0: head } of value.matchAll(/^\[[^\]]*\] ?|\{#[^{}]*\} ?/g)) {
    if (start >= index && start < index + head.length) start = end = index + head.length;
  }
  while (start > 0 && LETTERS.test(value[start - 1])) start -= 1;
  while (end < value.length && LETTERS.test(value[end])) end += 1;
  return { start, end };
}

const around =
  (before, after) =>
  ({ words }) => ({ text: before + words + after, from: before.length, to: before.length + words.length });
const alone = (text, from = text.length, to = from) => ({ text, from, to });

// `name` makes up the note's name. Those of AT_CURSOR stand at the cursor and take no words.
export const TOOLS = {
  mend: ({ words, name }) => {
    const printed = words || "…";
    const before = `{${printed} → `;
    return {
      text: `${before}${printed} | ${name("mended")}}`,
      from: before.length,
      to: before.length + printed.length,
    };
  },
  supplied: ({ words, name }) => ({
    text: `⟨${words || "words"} | ${name("supplied")}⟩`,
    from: 1,
    to: 1 + (words || "words").length,
  }),
  lost: ({ name }) => alone(`⟨… | ${name("lost")}⟩`),
  omitted: ({ words, name }) => alone(`{${words || "…"} → | ${name("left-out")}}`),
  bold: around("**", "**"),
  italic: around("*", "*"),
  superior: around("{^", "}"),
  doubtful: around("{?", "}"),
  passage: ({ name }) => {
    const made = name("passage");
    return { text: `{#${made}} `, from: 2, to: 2 + made.length };
  },
  cell: () => alone(" || "),
  "no-mark": () => alone("\\"),
};
export const AT_CURSOR = ["lost", "passage", "cell", "no-mark"];

// The next doubt behind a place, in lines one after the other: the line, from and to; none if there is no more.
export function nextDoubt(texts, line, at) {
  for (let n = Math.max(line, 0); n < texts.length; n += 1) {
    const found = /\{\?(?:[^{}\\]|\\.)+\}/g;
    found.lastIndex = n === line ? at : 0;
    const doubt = found.exec(texts[n]);
    if (doubt) return { line: n, from: doubt.index, to: doubt.index + doubt[0].length };
  }
  return null;
}

// Marks of a whole line: how it is set, whether it goes on, whether its last word is divided.
export function setAs(line, style) {
  const [, , on = ""] = line.match(PREFIX);
  const rest = line.replace(PREFIX, "");
  return (style === "body" ? "" : `[${style}] `) + on + rest;
}
export function goesOn(line) {
  const [whole, style = "", on] = line.match(PREFIX);
  return style + (on ? "" : "+ ") + line.slice(whole.length);
}
export const divided = (line) => (line.endsWith("¬") ? line.slice(0, -1) : `${line.replace(/-$/, "")}¬`);
