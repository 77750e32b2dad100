// A wall of screens has no hands to scroll: its letters are as large as all tables together allow. Whoever wants to
// enlarge the floor by the browser's own zoom leaves the wall.
const SMALLEST = 8; // pixels; smaller can be read from nowhere, so a floor that still does not fit is scrolled
const LARGEST = 64;
const root = document.documentElement;

function fits(pixels) {
  root.style.fontSize = `${pixels}px`;
  return root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth;
}

function fit() {
  let fitting = SMALLEST;
  let tooLarge = LARGEST;
  while (tooLarge - fitting > 0.25) {
    const middle = (fitting + tooLarge) / 2;
    if (fits(middle)) fitting = middle;
    else tooLarge = middle;
  }
  root.style.fontSize = `${fitting}px`;
}

addEventListener("resize", fit);
document.getElementById("filters").addEventListener("input", fit);
fit();
