// While a verification runs, asks how far it has come; at its end the page itself tells the verdict.
const verdict = document.getElementById("verdict");
const progress = document.getElementById("progress");
const done = document.getElementById("done");

async function look() {
  try {
    const answer = await fetch("/audit/verification.json");
    if (!answer.ok) return location.reload();
    const { verification } = await answer.json();
    if (verification.state !== "running") return location.reload();
    progress.max = Math.max(verification.total, 1);
    progress.value = verification.done;
    done.textContent = verification.done;
  } catch {
    // The line is down: the next look may find it again.
  }
  setTimeout(look, 1000);
}

if (verdict?.dataset.state === "running") setTimeout(look, 500);
