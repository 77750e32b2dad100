// The live line to the gateway, shared by all tabs of the browser (line.js); a browser that cannot share gives the page
// one of its own. Messages carry whole levels, never differences: whatever was missed is in the next one.
const SILENCE_S = 30; // a line can die without an error: no beat for three beats' time is a dead line
const SIGN_MS = 20_000; // between two signs of life of this page to the shared line

export function follow(address, after, receive) {
  const banner = document.getElementById("lost");
  let silent = 0;
  const page = {
    alive() {
      silent = 0;
      banner.hidden = true;
    },
    lost() {
      banner.hidden = false;
    },
    changed(news) {
      page.alive();
      receive(news);
    },
    leave: () => location.reload(), // the page itself then says why
  };
  setInterval(() => {
    silent += 1;
    if (silent > SILENCE_S) page.lost();
  }, 1000);
  if ("SharedWorker" in window) share(address, Number(after), page);
  else ownLine(address, after, page);
}

function share(address, after, page) {
  const asked = new URL(address, location.href).searchParams;
  const watch = asked.has("table") ? `table:${asked.get("table")}` : asked.has("alerts") ? "alerts" : "floor";
  const worker = new SharedWorker("/static/line.js", { name: "sabot" });
  let seen = after;
  let isOwn = false;
  const say = (words) => worker.port.postMessage(words);
  worker.addEventListener("error", () => {
    if (!isOwn) ownLine(address, seen, page);
    isOwn = true;
  });
  worker.port.onmessage = ({ data: { kind, news } }) => {
    if (news) seen = news.last_id;
    page[kind](news);
  };
  const join = () => say({ watch, seen });
  join();
  setInterval(join, SIGN_MS);
  addEventListener("pagehide", () => say({ bye: true }));
  addEventListener("pageshow", (event) => {
    if (event.persisted) join(); // back from the browser's cache of pages
  });
}

function ownLine(address, after, page) {
  const source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${after}`);
  source.addEventListener("open", page.alive);
  source.addEventListener("beat", page.alive);
  source.addEventListener("changed", (event) => page.changed(JSON.parse(event.data)));
  source.addEventListener("leave", page.leave);
  source.addEventListener("error", () => {
    page.lost();
    // A refusal (the session ended, the table is gone) closes for good.
    if (source.readyState === EventSource.CLOSED) setTimeout(page.leave, 2000);
  });
}
