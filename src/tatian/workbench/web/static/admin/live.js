// Keeps figures current: fetches the page again and takes over its parts marked data-live.

const EVERY = 10_000;
const SHARE = 20; // Of the time, at most one part in so many is spent asking.

async function refresh() {
  const response = await fetch(location.href, { credentials: "same-origin", redirect: "error" });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const old of document.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(old.dataset.live)}"]`);
    if (next && !old.contains(document.activeElement) && !old.isEqualNode(next)) old.replaceWith(next);
  }
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
