// Keys of a number of any size. What is typed stands in the field above them; several numbers are added up.

const field = () => document.querySelector("[data-keypad]");
const LENGTH_MOST = 60;
const REFUSED = "refused"; // what was typed ahead was for a question that does not come now

// A thumb types on our keys; who taps the field itself, or has a keyboard, types into it.
document.addEventListener("click", (event) => {
  const key = event.target.closest?.("[data-types]");
  const input = field();
  if (!key || !input) return;
  const sign = key.dataset.types;
  // A quick thumb types the next number before its question is drawn.
  if (input.dataset.sent !== undefined && /\d/.test(sign)) input.value = "";
  if (sign === "⌫") input.value = input.value.slice(0, -1);
  else if (input.value.length < LENGTH_MOST) input.value += sign;
  mark(input);
});

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-keypad]")) mark(event.target);
});

// The field's own Enter is that of the keys; otherwise it would press the first button of the page.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("[data-keypad]")) return;
  event.preventDefault();
  document.querySelector("[data-enter]")?.click();
});

// With something in it the field stays when another phone's tap is drawn.
function mark(input) {
  if (input.dataset.sent !== undefined) input.dataset.ahead = "";
  delete input.dataset.sent;
  if (input.dataset.ahead === REFUSED && input.value === "") delete input.dataset.ahead;
  input.toggleAttribute("data-typed", input.value !== "");
}

// The number is on its way: figures that come now are those of the next one.
export function markSent() {
  field().dataset.sent = "";
  if (document.activeElement === field()) field().select();
}

export const isSent = () => field()?.dataset.sent !== undefined;

// The question is for another player by now, without an answer yet: the field and its Enter are too.
export function asksNext(name, before) {
  const input = field();
  if (!input) return;
  const enter = document.querySelector("[data-enter]");
  const body = JSON.parse(enter.value);
  body.at[1] = name;
  enter.value = JSON.stringify(body);
  document.getElementById("keys").dataset.place = body.at.join("/");
  input.setAttribute("aria-label", input.getAttribute("aria-label").replace(before, name));
  if (!isAhead()) input.value = "";
  delete input.dataset.sent;
  delete input.dataset.ahead;
  input.toggleAttribute("data-typed", input.value !== "");
}

// True while what stands in the field is for a question that is not there yet.
export const isAhead = () => field()?.dataset.ahead !== undefined;

// It was refused: it stands there again to be changed.
export function markRefused() {
  const input = field();
  if (!input) return;
  delete input.dataset.sent;
  if (isAhead()) input.dataset.ahead = REFUSED;
}

// True once: whoever has typed on is told that the question before is still open, and may answer it with this number.
export function takeRefusedBefore() {
  if (field()?.dataset.ahead !== REFUSED) return false;
  delete field().dataset.ahead;
  return true;
}

// The answer to this question was taken back before it was answered: no question comes for what was typed after it.
export function markTakenBack(at) {
  if (!isAhead() || document.getElementById("keys").dataset.place !== at.join("/")) return;
  const input = field();
  input.value = "";
  delete input.dataset.ahead;
  mark(input);
}

// The next question takes what was typed for it already.
export function carryOver(old, fresh) {
  const ahead = old.querySelector("[data-ahead]");
  const input = fresh.querySelector("[data-keypad]");
  if (!ahead || !input) return;
  input.value = ahead.value;
  mark(input);
}

// The number in the field, sums worked out; null where it is none.
export function typedNumber() {
  const text = (field()?.value ?? "").replaceAll(" ", "").replaceAll("−", "-");
  if (!/^-?\d{1,7}([+-]\d{1,7})*$/.test(text)) return null;
  return text.match(/[+-]?\d+/g).reduce((total, number) => total + Number(number), 0);
}
