// What is felt and heard when something was entered: a short vibration, and a sound for those who switched it on.
// The tones are made here; there are no files to load.

const KEY = "sound";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds on, off, on … One's own entry was felt when it was tapped.
const VIBRATIONS = { other: [20, 70, 20], win: [60, 60, 60, 60, 180] };
// Hertz, one after the other.
const TONES = { own: [660], other: [440, 550], win: [523, 659, 784, 1047] };
const TONE_SECONDS = 0.12;
const LOUDNESS = 0.08;
let audio = null;

// Some browsers keep nothing for anybody: then the switch lasts as long as the page.
let isOn = false;
try {
  isOn = localStorage.getItem(KEY) === "on";
} catch {
  isOn = false;
}

function play(tones) {
  audio ??= new AudioContext();
  audio.resume();
  tones.forEach((hertz, nth) => {
    const begins = audio.currentTime + nth * TONE_SECONDS;
    const [tone, gain] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(LOUDNESS, begins);
    gain.gain.exponentialRampToValueAtTime(0.001, begins + TONE_SECONDS);
    tone.connect(gain).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + TONE_SECONDS);
  });
}

// `own`, `other` or `win`. Who wants no motion wants no trembling either; a phone nobody touched yet may not.
export function signal(kind) {
  const isFelt = kind in VIBRATIONS && !calm.matches && navigator.userActivation?.hasBeenActive;
  if (isFelt) navigator.vibrate?.(VIBRATIONS[kind]);
  if (isOn && "AudioContext" in window) play(TONES[kind]);
}

export function showSwitch() {
  for (const key of document.querySelectorAll("[data-sound]")) {
    key.hidden = false;
    key.setAttribute("aria-pressed", String(isOn));
  }
}

function turn(event) {
  if (!event.target.closest?.("[data-sound]")) return;
  isOn = !isOn;
  try {
    localStorage.setItem(KEY, isOn ? "on" : "off");
  } catch {
    // It lasts as long as the page.
  }
  showSwitch();
  if (isOn) signal("own");
}

document.addEventListener("click", turn);
showSwitch();
