// The floor stays current tile by tile; filters hide, never forget: a hidden table in trouble still counts in the title.
import { follow } from "/static/live.js";

const phrases = document.getElementById("phrases").dataset;
const find = document.getElementById("find");
const game = document.getElementById("game");
const trouble = document.getElementById("trouble");
const none = document.getElementById("none");
const title = document.title;
const byName = new Map([...document.querySelectorAll(".tile")].map((tile) => [tile.dataset.table, tile]));

function money(cents, which) {
  const currency = which === "TCP" ? "CAD" : "EUR";
  const digits = cents % 100 ? 2 : 0;
  return new Intl.NumberFormat(phrases.locale, {
    style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(cents / 100).replace("-", "−"); // a true minus, as the server writes it
}

function put(tile, field, text) {
  const place = tile.querySelector(`[data-field="${field}"]`);
  if (place.textContent !== text) place.textContent = text;
}

function draw(tile, news) {
  put(tile, "phase", phrases[news.phase] ?? "");
  for (const field of ["coup", "seats", "coups_last_hour", "awaiting"]) put(tile, field, String(news[field]));
  put(tile, "controllers", `${news.online}/${news.controllers}`);
  if (news.outcome) put(tile, "outcome", phrases.last.replace("{n}", news.outcome.number).replace("{win}", money(news.outcome.win, news.game)));
  for (const severity of ["alarm", "warning", "notice"]) {
    put(tile, severity, String(news[severity]));
    tile.querySelector(`[data-count="${severity}"]`).hidden = !news[severity];
  }
  tile.querySelector('[data-flag="awaiting"]').hidden = !news.awaiting;
  tile.classList.toggle("over", news.is_over);
  tile.querySelector('[data-flag="in_review"]').hidden = !news.in_review;
  tile.querySelector('[data-flag="fault"]').hidden = !news.fault;
  if (tile.dataset.trouble !== news.trouble) {
    tile.classList.remove("alarm", "warning", "notice");
    if (news.trouble) tile.classList.add(news.trouble, "fresh");
    tile.dataset.trouble = news.trouble;
  }
}

function filter() {
  const wanted = find.value.trim().toLowerCase();
  let shown = 0;
  let alarms = 0;
  for (const [name, tile] of byName) {
    const fits = (!wanted || name.toLowerCase().includes(wanted)) && (!game.value || tile.dataset.game === game.value) && (!trouble.checked || tile.dataset.trouble);
    tile.hidden = !fits;
    shown += fits ? 1 : 0;
    alarms += tile.dataset.trouble === "alarm" ? 1 : 0;
  }
  for (const pit of document.querySelectorAll(".pit")) pit.hidden = !pit.querySelector(".tile:not([hidden])");
  none.hidden = shown > 0 || byName.size === 0;
  document.title = alarms ? `(${alarms}) ${title}` : title;
}

for (const input of [find, game, trouble]) input.addEventListener("input", filter);
document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== find) {
    event.preventDefault();
    find.focus();
  } else if (event.key === "Escape" && document.activeElement === find) {
    find.value = "";
    filter();
    find.blur();
  } else if (event.key.startsWith("Arrow") && document.activeElement?.classList.contains("tile")) {
    event.preventDefault();
    move(event.key);
  }
});

function move(key) {
  const tiles = [...document.querySelectorAll(".tile:not([hidden])")];
  const at = tiles.indexOf(document.activeElement);
  const columns = getComputedStyle(document.activeElement.parentElement).gridTemplateColumns.split(" ").length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  tiles[Math.min(Math.max(at + step, 0), tiles.length - 1)]?.focus();
}

filter();
follow(document.body.dataset.live, document.body.dataset.after, (floor) => {
  for (const news of floor.tiles) {
    const tile = byName.get(news.table);
    if (!tile) return location.reload(); // a table was added to the settings
    draw(tile, news);
  }
  if (floor.tables !== byName.size) return location.reload(); // a table left them
  return filter();
});
