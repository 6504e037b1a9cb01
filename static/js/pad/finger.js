// The finger on the glass. A key that is replaced between its coming down and going up is never tapped: whoever draws
// waits for fingerUp().

const LONGEST_PRESS = 1000;
const CLICK_DELAY = 60;
let finger = Promise.resolve();
let lift = () => {};

document.addEventListener(
  "pointerdown",
  () => {
    lift();
    finger = new Promise((resolve) => (lift = resolve));
    setTimeout(lift, LONGEST_PRESS);
  },
  true,
);
// The click follows the finger's going up.
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => setTimeout(lift, CLICK_DELAY), true);
}

export async function fingerUp() {
  for (let waited = null; waited !== finger; await waited) waited = finger;
}
