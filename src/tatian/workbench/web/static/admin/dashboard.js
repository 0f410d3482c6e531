// Keeps the dashboard current without disturbing whoever reads it: focus and scrolled places
// stay as they were.

const EVERY = 10_000;
const SHARE = 20; // Of the time, at most one part in so many is spent asking.

export async function refresh() {
  const response = await fetch(location.href, { credentials: "same-origin", redirect: "error" });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const next of fresh.querySelectorAll("[data-live]:not([data-live] [data-live])")) {
    const old = document.querySelector(`[data-live="${CSS.escape(next.dataset.live)}"]`);
    if (old) take(old, next);
    else return location.reload(); // A part is there for the first time.
  }
}

function take(old, next) {
  const kept = remember(old);
  if (old.isEqualNode(next)) return;
  const here = document.adoptNode(next);
  old.replaceWith(here);
  for (const [id, left, top] of kept.scrolled) here.querySelector(`#${CSS.escape(id)}`)?.scrollTo(left, top);
  if (kept.focus) document.getElementById(kept.focus)?.focus({ preventScroll: true });
}

function remember(part) {
  const active = document.activeElement;
  return {
    scrolled: [...part.querySelectorAll(".scroll[id]")].map((one) => [one.id, one.scrollLeft, one.scrollTop]),
    focus: part.contains(active) ? active.id : "",
  };
}

async function keep() {
  const began = performance.now();
  try {
    if (!document.hidden) await refresh();
  } catch {
    // Offline, or signed out elsewhere: what is shown stays until the server answers again.
  }
  setTimeout(keep, Math.max(EVERY, SHARE * (performance.now() - began)));
}

setTimeout(keep, EVERY);
