// Draws a page's changing part again every few seconds, while somebody looks at it. The banner says when that fails.
const part = document.querySelector("[data-part][data-every]");
const banner = document.getElementById("lost");

async function refresh() {
  if (document.hidden) return;
  try {
    const address = new URL(location.href);
    address.searchParams.set("part", "1");
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    if (answer.redirected || answer.status === 404) location.reload();
    else if (answer.ok) {
      const text = await answer.text();
      if (!part.contains(document.activeElement)) part.innerHTML = text; // nobody loses his place
      banner.hidden = true;
    }
  } catch {
    banner.hidden = false;
  }
}

setInterval(refresh, Number(part.dataset.every) * 1000);
