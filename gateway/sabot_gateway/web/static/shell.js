// Keyboard first: one letter goes to a page of the menu, "?" shows them, Escape closes. Never while somebody types.
const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const link = [...document.querySelectorAll("nav a[data-key]")].find((each) => each.dataset.key === event.key);
  if (link) {
    event.preventDefault();
    link.click();
  }
});
// A page that is merely open does not keep its session; a hand on the mouse or the keyboard does, once a minute.
const PRESENT_MS = 60_000;
let present = Date.now();
function stay() {
  if (Date.now() - present < PRESENT_MS) return;
  present = Date.now();
  fetch("/account.json").catch(() => {}); // the banner says when the line is down
}
if (document.querySelector(".who")) for (const sign of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(sign, stay, { passive: true });

for (const link of document.querySelectorAll("nav a[data-key]")) {
  link.setAttribute("aria-keyshortcuts", link.dataset.key);
  link.title = link.dataset.key;
}
