// Keep figures current: replace the parts marked data-live by those of the page's new document.

import { fetchPage, refreshOften } from "./refreshing.js";

refreshOften(async () => {
  const fresh = await fetchPage();
  for (const old of fresh ? document.querySelectorAll("[data-live]") : []) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(old.dataset.live)}"]`);
    if (next && !old.contains(document.activeElement) && !old.isEqualNode(next)) old.replaceWith(next);
  }
});
