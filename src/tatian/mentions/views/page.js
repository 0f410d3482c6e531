/* The card of a link, the links of a page, and hiding what is less sure. The text and the list are
   complete without this; listeners sit on the whole document, never on single links. */

const card = document.getElementById("card");
const least = document.getElementById("least");
const status = document.getElementById("status");
const kinds = ["person", "location", "organisation", "concept"];
let described = null; /* the link whose card is shown */
let leaving = 0;

const linkOf = (node) => (node instanceof Element ? node.closest(".text a.m") : null);
const entryOf = (link) => document.getElementById(`p${link.closest(".doc").id.slice(1)}-${link.dataset.p}`);

const piece = (tag, text, name = "") => {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
};

/* What the list says of the page, how sure the link is, and what else it may be. */
const fill = (link) => {
  const entry = entryOf(link);
  const sure = link.dataset.s === undefined ? "" : ` · ${link.dataset.s}% sure`;
  const about = entry.querySelector(".about > p:not(:last-child)")?.textContent;
  const parts = [
    piece("b", entry.querySelector("button").textContent),
    piece("p", entry.querySelector(".kind").textContent + sure, "soft"),
  ];
  if (about) parts.push(piece("p", about));
  if (link.dataset.o) parts.push(piece("p", `Also: ${link.dataset.o}`, "soft"));
  card.replaceChildren(...parts);
};

/* Below the link's first line, or above it where there is no room. */
const place = (link) => {
  const at = link.getClientRects()[0];
  const wide = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(at.left, wide - card.offsetWidth - 8));
  const below = at.bottom + 6 + card.offsetHeight < innerHeight || at.top < card.offsetHeight + 6;
  const top = below ? at.bottom + 6 : at.top - card.offsetHeight - 6;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
};

const hide = () => {
  clearTimeout(leaving);
  described?.removeAttribute("aria-describedby");
  described = null;
  card.hidden = true;
};

const describe = (link) => {
  clearTimeout(leaving);
  if (link === described) return;
  hide();
  if (link.classList.contains("gone")) return;
  described = link;
  fill(link);
  card.hidden = false;
  place(link);
  link.setAttribute("aria-describedby", "card");
};

/* Time to move from the link to its card. */
const leave = () => {
  clearTimeout(leaving);
  leaving = setTimeout(hide, 200);
};

const light = (entry) => {
  const lit = entry && !entry.classList.contains("lit");
  for (const node of document.querySelectorAll(".lit")) node.classList.remove("lit");
  for (const node of document.querySelectorAll("[aria-pressed='true']")) node.setAttribute("aria-pressed", "false");
  if (!lit) return;
  const [number, page] = entry.id.slice(1).split("-");
  const links = document.querySelectorAll(`#d${number} .text a.m[data-p="${page}"]:not(.gone)`);
  for (const node of [entry, ...links]) node.classList.add("lit");
  entry.querySelector("button").setAttribute("aria-pressed", "true");
  links[0]?.scrollIntoView({ block: "nearest" });
};

/* Links that are not sure enough, or of a kind that is not shown, are text again. */
const sift = () => {
  const bound = Number(least.value);
  const shown = new Set(kinds.filter((kind) => document.getElementById(`k-${kind}`).checked));
  document.getElementById("shown").value = bound;
  let count = 0;
  for (const doc of document.querySelectorAll(".doc")) {
    const counts = new Map();
    for (const link of doc.querySelectorAll(".text a.m")) {
      const kept = Number(link.dataset.s ?? 100) >= bound && kinds.some((kind) => shown.has(kind) && link.classList.contains(kind));
      link.classList.toggle("gone", !kept);
      if (kept) link.removeAttribute("tabindex");
      else link.setAttribute("tabindex", "-1");
      count += kept;
      counts.set(link.dataset.p, (counts.get(link.dataset.p) ?? 0) + kept);
    }
    for (const entry of doc.querySelectorAll("aside li")) {
      const left = counts.get(entry.id.split("-")[1]) ?? 0;
      entry.querySelector(".count").textContent = left.toLocaleString("en");
      entry.classList.toggle("gone", !left);
    }
  }
  status.textContent = `${count.toLocaleString("en")} links shown`;
};

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const link = linkOf(event.target);
  if (link) describe(link);
  else if (card.contains(event.target)) clearTimeout(leaving);
  else if (described && described !== document.activeElement) leave();
});

document.addEventListener("focusin", (event) => {
  const link = linkOf(event.target);
  if (link) describe(link);
  else hide();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("aside button");
  if (button) light(button.closest("li"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  hide();
  light(null);
});

document.addEventListener("input", (event) => {
  if (event.target.closest?.(".choices")) sift();
});
document.addEventListener("change", (event) => {
  if (event.target.closest?.(".choices")) sift();
});
addEventListener("resize", hide);
