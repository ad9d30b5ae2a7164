// A few quiet tones, made here when somebody wants them: until then the page has nothing that could make a sound.

const KEY = 'gridsage-sounds';
const LOUD = 0.06; // of what the device can do
const FADE_S = 0.02; // without it every tone would begin and end with a click
const APART_MS = 80; // steps that come quicker are left out
const STEPS = new Set(['move', 'take']);
/** @type {Record<string, [hertz: number, at: number, lasts: number][]>} */
const TONES = {
  move: [[330, 0, 0.06]],
  take: [
    [523, 0, 0.07],
    [784, 0.07, 0.1],
  ],
  win: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.25],
  ],
  loss: [
    [330, 0, 0.16],
    [247, 0.16, 0.28],
  ],
  refused: [[165, 0, 0.12]],
};

/** @type {AudioContext | null} */
let context = null;
let last = -Infinity;

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether somebody wants tones; where less motion is wanted, they have to be wanted there. */
export function soundsOn() {
  const kept = localStorage.getItem(KEY);
  return kept === 'always' || (kept === 'on' && !isCalm());
}

/** @param {boolean} on */
export function setSounds(on) {
  localStorage.setItem(KEY, !on ? 'off' : isCalm() ? 'always' : 'on');
  if (on) tone('take');
  else {
    void context?.close();
    context = null;
  }
}

/**
 * Play one of the tones, if they are wanted.
 * @param {string} name
 */
export function tone(name) {
  const now = performance.now();
  if (!soundsOn() || (STEPS.has(name) && now - last < APART_MS)) return;
  last = now;
  context ??= new AudioContext();
  for (const [hertz, at, lasts] of TONES[name]) ring(context, hertz, context.currentTime + at, lasts);
}

/**
 * @param {AudioContext} speaker
 * @param {number} hertz
 * @param {number} from
 * @param {number} lasts seconds
 */
function ring(speaker, hertz, from, lasts) {
  const string = speaker.createOscillator();
  const volume = speaker.createGain();
  string.type = 'triangle';
  string.frequency.value = hertz;
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(LOUD, from + FADE_S);
  volume.gain.linearRampToValueAtTime(0, from + lasts);
  string.connect(volume).connect(speaker.destination);
  string.start(from);
  string.stop(from + lasts);
}
