// The one live line of a browser: every tab says what it watches and how far it has come, and hears of nothing else. A
// browser keeps no more than six connections to a house, and a line of one's own would hold one as long as a tab is open.
// Runs as a shared worker. Whenever tabs come or go the line is opened again, from where the furthest behind stands.
const FORGOTTEN_MS = 200_000; // a tab that was not heard of for so long is gone; one in the background speaks once a minute
const tabs = new Map(); // by port: { watch, seen, heard }
let source = null;
let isLost = false;
let planned = 0;

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.bye) {
      tabs.delete(port);
      return plan();
    }
    const known = tabs.get(port);
    if (known) {
      known.heard = Date.now();
      return undefined;
    }
    tabs.set(port, { watch: data.watch, seen: data.seen, heard: Date.now() });
    if (isLost) port.postMessage({ kind: "lost" });
    return plan();
  };
};

function plan(after = 20) {
  clearTimeout(planned);
  planned = setTimeout(open, after); // several tabs that open at once are one change
}

function open() {
  source?.close();
  source = null;
  const positions = new Map();
  for (const { watch, seen } of tabs.values()) positions.set(watch, Math.min(seen, positions.get(watch) ?? seen));
  if (!positions.size) return;
  const asked = new URLSearchParams();
  for (const [watch, seen] of positions) asked.append("watch", `${watch}.${seen}`);
  const line = new EventSource(`/live?${asked}`);
  source = line;
  line.addEventListener("open", () => tell("alive"));
  line.addEventListener("beat", () => {
    tell("alive");
    forget();
  });
  line.addEventListener("changed", ({ data }) => carry(JSON.parse(data)));
  line.addEventListener("leave", ({ data }) => leave(JSON.parse(data).watch));
  line.addEventListener("error", () => {
    if (line !== source) return;
    tell("lost");
    // The browser would come back with positions of long ago. A refusal (the session ended) closes for good: then each
    // page itself says why.
    if (line.readyState === EventSource.CLOSED) setTimeout(leave, 2000);
    else plan(1000);
  });
}

function carry(news) {
  isLost = false;
  for (const [port, tab] of tabs) {
    const isNew = news.last_id > tab.seen || news.tables !== tab.tables; // a table that is gone has no id
    if (tab.watch === news.watch && isNew) {
      tab.seen = news.last_id;
      tab.tables = news.tables;
      port.postMessage({ kind: "changed", news });
    } else port.postMessage({ kind: "alive" });
  }
}

function tell(kind) {
  isLost = kind === "lost";
  for (const port of tabs.keys()) port.postMessage({ kind });
}

function leave(watch) {
  for (const [port, tab] of tabs) {
    if (watch !== undefined && tab.watch !== watch) continue;
    tabs.delete(port);
    port.postMessage({ kind: "leave" });
  }
  plan();
}

function forget() {
  const before = tabs.size;
  for (const [port, { heard }] of tabs) if (Date.now() - heard > FORGOTTEN_MS) tabs.delete(port);
  if (tabs.size < before) plan();
}
