// Fetch the current page again at intervals.
//
//   fetchPage()         a promise of the page's new document; null if the server refuses
//   refreshOften(work)  runs work() every ten seconds while the page is visible, or less often if it
//                       takes long

const INTERVAL = 10_000; // Milliseconds.
const SHARE = 20; // The interval is at least this many times as long as the work.

export async function fetchPage() {
  const response = await fetch(location.href, { credentials: "same-origin", redirect: "error" });
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
}

export function refreshOften(work) {
  const run = async () => {
    const began = performance.now();
    try {
      if (!document.hidden) await work();
    } catch {
      // Offline or signed out: the page stays as it is until the server answers again.
    }
    setTimeout(run, Math.max(INTERVAL, SHARE * (performance.now() - began)));
  };
  setTimeout(run, INTERVAL);
}
