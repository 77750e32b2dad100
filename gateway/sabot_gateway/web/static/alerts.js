// The queue while somebody looks at it: what is new is lit, counted in the title, and, if wanted, heard. The sound is
// made here, so that no file is needed: the graver, the higher and the more often. Off until the person turns it on.
const part = document.querySelector("[data-part]");
const button = document.getElementById("sound");
const came = document.getElementById("came");
const title = document.title;
const RANK = { notice: 0, warning: 1, alarm: 2 };
const TONES = { notice: [[440, 0]], warning: [[660, 0], [660, 0.25]], alarm: [[988, 0], [784, 0.18], [988, 0.36], [784, 0.54]] };
let isOn = localStorage.getItem("sound") === "on";
let audio = null;
let seen = newest();
const lit = new Set(); // what came a moment ago stays lit when the queue is drawn anew
const LIT_MS = 2500;

function rows() {
  return [...part.querySelectorAll(".alert-row")];
}

function newest() {
  return rows().reduce((most, row) => Math.max(most, Number(row.dataset.id)), 0);
}

function play(severity) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [pitch, after] of TONES[severity]) {
    const at = audio.currentTime + after;
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0.0001, at);
    level.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
    level.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
    tone.connect(level).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.18);
  }
  button.dataset.played = severity;
}

function tell() {
  const open = Number(part.querySelector(".queue").dataset.open);
  document.title = open ? `(${open}) ${title}` : title;
  const fresh = rows().filter((row) => Number(row.dataset.id) > seen);
  for (const { dataset: { id } } of fresh) {
    lit.add(id);
    setTimeout(() => lit.delete(id), LIT_MS);
  }
  for (const row of rows()) row.classList.toggle("fresh", lit.has(row.dataset.id));
  if (!fresh.length) return;
  seen = newest();
  came.textContent = came.dataset.text.replace("{n}", fresh.length);
  const gravest = fresh.map((row) => row.dataset.severity).reduce((one, other) => (RANK[other] > RANK[one] ? other : one));
  if (isOn) play(gravest);
}

function show() {
  button.hidden = false;
  button.dataset.state = isOn ? "on" : "off";
  button.textContent = `${isOn ? "♪" : "♩"} ${isOn ? button.dataset.on : button.dataset.off}`;
}

button.addEventListener("click", () => {
  isOn = !isOn;
  localStorage.setItem("sound", isOn ? "on" : "off");
  show();
  if (isOn) play("notice");
});
part.addEventListener("redrawn", tell);

const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select") !== null;
document.addEventListener("keydown", (event) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step) {
    const links = [...part.querySelectorAll(".alert-link")];
    const at = links.indexOf(document.activeElement);
    const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("f-table").focus();
  }
});

// A browser lets no page sound before somebody has touched it.
for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    if (!isOn) return;
    audio ??= new AudioContext();
    audio.resume();
  }, { once: true });
}
show();
tell();
