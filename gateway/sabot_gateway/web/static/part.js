// Keeps the changing part of a page current: whenever the gateway says that something changed, the server draws the
// part again and it is put in place. One request at a time; changes meanwhile lead to one more.
import { follow } from "/static/live.js";

const part = document.querySelector("[data-part]");
const { live, after } = document.body.dataset;
let isFetching = false;
let isStale = false;

async function refresh() {
  if (isFetching) {
    isStale = true;
    return;
  }
  isFetching = true;
  try {
    const address = new URL(location.href);
    address.searchParams.set("part", "1");
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    if (answer.status === 401 || answer.redirected) location.reload();
    else if (answer.ok) {
      const focused = document.activeElement?.id;
      part.innerHTML = await answer.text();
      if (focused) document.getElementById(focused)?.focus();
      part.dispatchEvent(new CustomEvent("redrawn", { bubbles: true }));
    } else if (answer.status === 404) location.reload();
  } catch {
    // The line is down: the banner says so, and the next change brings everything.
  } finally {
    isFetching = false;
    if (isStale) {
      isStale = false;
      refresh();
    }
  }
}

if (part && live) {
  follow(live, after, refresh);
}
