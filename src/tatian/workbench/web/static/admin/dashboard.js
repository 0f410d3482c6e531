// Keep the dashboard current; focus and scroll positions stay.

import { fetchPage, refreshOften } from "./refreshing.js";

export async function refresh() {
  const fresh = await fetchPage();
  for (const part of fresh?.querySelectorAll("[data-live]:not([data-live] [data-live])") ?? []) {
    const old = document.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
    if (old) replacePart(old, part);
    else return location.reload(); // The part is new on the page.
  }
}

function replacePart(old, next) {
  if (old.isEqualNode(next)) return;
  const active = document.activeElement;
  const focus = old.contains(active) ? active.id : "";
  const scrolled = [...old.querySelectorAll(".scroll[id]")].map(({ id, scrollLeft, scrollTop }) => [id, scrollLeft, scrollTop]);
  const part = document.adoptNode(next);
  old.replaceWith(part);
  for (const [id, left, top] of scrolled) part.querySelector(`#${CSS.escape(id)}`)?.scrollTo(left, top);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}

refreshOften(refresh);
