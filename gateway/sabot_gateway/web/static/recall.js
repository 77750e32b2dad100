// Scrubs and plays a coup. The server draws each step; what was drawn once is kept, so going back costs nothing.
// Addresses stay true: the step stands in `?step=`, and `#step-12` leads to step 12. Without this file the links do it.
import { follow } from "/static/live.js";

const moment = document.getElementById("moment");
const controls = document.getElementById("controls");
const scrub = document.getElementById("scrub");
const playButton = document.getElementById("play");
const pace = document.getElementById("pace");
const printButton = document.getElementById("print");
const drawn = new Map();
let current = Number(moment.dataset.step);
let timer = 0;
let asking = false;

const total = () => document.querySelectorAll(".step-list > li").length;
const lineOf = (number) => document.getElementById(`step-${number}`);

function mark() {
  for (const line of document.querySelectorAll(".step-list > li[aria-current]")) line.removeAttribute("aria-current");
  for (const each of document.querySelectorAll(".mark.here")) each.classList.remove("here");
  document.querySelector(`.mark[data-step="${current}"]`)?.classList.add("here");
  const line = lineOf(current);
  if (line) {
    line.setAttribute("aria-current", "step");
    const list = line.parentElement;
    const top = line.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  }
  scrub.max = String(total());
  scrub.value = String(current);
  scrub.setAttribute("aria-valuetext", `${current} / ${total()}: ${line?.querySelector("a").textContent.trim() ?? ""}`);
}

function address(number) {
  const there = new URL(location.href);
  there.searchParams.delete("at");
  there.searchParams.delete("part");
  there.searchParams.set("step", String(number));
  there.hash = "";
  return there;
}

async function draw() {
  if (asking) return;
  asking = true;
  try {
    while (moment.dataset.step !== String(current)) {
      const number = current;
      if (!drawn.has(number)) {
        const there = address(number);
        there.searchParams.set("part", "1");
        const answer = await fetch(there, { headers: { accept: "text/html" } });
        if (!answer.ok || answer.redirected) {
          location.assign(address(number));
          return;
        }
        drawn.set(number, await answer.text());
      }
      if (number === current) {
        moment.innerHTML = drawn.get(number);
        moment.dataset.step = String(number);
      }
    }
  } catch {
    stop(); // the line is down; the next step asks again
  } finally {
    asking = false;
  }
}

function go(number) {
  current = Math.min(Math.max(number, 1), total());
  history.replaceState(null, "", address(current));
  mark();
  return draw();
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  playButton.textContent = controls.dataset.play;
}

async function advance() {
  if (current >= total()) {
    stop();
    return;
  }
  const gap = Number(lineOf(current + 1).dataset.at) - Number(lineOf(current).dataset.at);
  timer = setTimeout(async () => {
    await go(current + 1);
    if (timer) advance();
  }, Math.min(Math.max(gap / Number(pace.value), 200), 3000));
}

function toggle() {
  if (timer) {
    stop();
    return;
  }
  playButton.textContent = controls.dataset.pause;
  if (current >= total()) go(1);
  advance();
}

const MOVES = {
  first: () => go(1),
  previous: () => go(current - 1),
  next: () => go(current + 1),
  last: () => go(total()),
  play: toggle,
};

controls.addEventListener("click", (event) => {
  const move = event.target.closest("[data-go]")?.dataset.go;
  if (!move) return;
  if (move !== "play") stop();
  MOVES[move]();
});
scrub.addEventListener("input", () => {
  stop();
  go(Number(scrub.value));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step], .mark[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(Number(link.dataset.step));
});
document.addEventListener("keydown", (event) => {
  const on = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || on.closest?.("textarea, select, input:not([type=range])")) return;
  const move = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (move) {
    event.preventDefault();
    stop();
    MOVES[move]();
  } else if (event.key === " " && !on.closest?.("button, a, summary")) {
    event.preventDefault();
    toggle();
  }
});
addEventListener("hashchange", fromHash);
printButton.addEventListener("click", () => window.print());

function fromHash() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  if (found) go(Number(found[1]));
}

// A coup still running grows: its facts, ribbon and list are drawn again; whoever stands at the end moves along.
async function grow() {
  const isAtEnd = current === total();
  const there = address(1);
  there.searchParams.delete("step");
  const answer = await fetch(there, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) {
    location.reload();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["facts", "ribbon", "bands", "timeline"]) document.getElementById(id)?.replaceWith(page.getElementById(id));
  document.getElementById("print").hidden = false;
  drawn.clear();
  if (isAtEnd) go(total());
  else mark();
}

let isGrowing = false;
let isStale = false;
async function changed() {
  isStale = true;
  if (isGrowing) return;
  isGrowing = true;
  while (isStale) {
    isStale = false;
    await grow().catch(() => {});
  }
  isGrowing = false;
}

controls.hidden = false;
scrub.hidden = false;
printButton.hidden = false;
mark();
fromHash();
if (document.body.dataset.live) follow(document.body.dataset.live, document.body.dataset.after, changed);
