/* Lighting the chain of a mention, by pointer, finger or keys. The text is complete
   without this; listeners sit on the whole document, never on single mentions. */

const reading = document.getElementById("reading");
const MANY = 12;
let painted = [];
let held = null; /* the mention or chain the reader holds on to */
let current = null; /* the mention that can be reached by Tab */

const mentionOf = (node) => (node instanceof Element ? node.closest(".m") : null);
const chainOf = (node) => mentionOf(node) ?? (node instanceof Element ? node.closest(".chains li") : null);

const clear = () => {
  for (const node of painted) node.classList.remove("lit");
  painted = [];
};

const light = (what) => {
  clear();
  if (!what) {
    reading.textContent = "";
    return;
  }
  const { k } = what.dataset;
  for (const node of what.closest(".doc").querySelectorAll(`[data-k="${k}"]`)) {
    if (node.matches(".m, .chains li")) {
      node.classList.add("lit");
      painted.push(node);
    }
  }
  reading.textContent = describe(k);
};

/* Which chain it is, and its words. */
const describe = (label) => {
  const own = painted.filter((node) => node.matches(".m:not(.g)"));
  const words = own.slice(0, MANY).map((node) => node.textContent.trim().replace(/\s+/g, " "));
  const rest = own.length > MANY ? ` and ${own.length - MANY} more` : "";
  return `Chain ${label}: ${words.join("; ")}${rest}`;
};

const reach = (mention) => {
  current?.removeAttribute("tabindex");
  current = mention;
  current?.setAttribute("tabindex", "0");
};

const go = (mention) => {
  if (!mention) return;
  reach(mention);
  held = null;
  mention.focus({ preventScroll: true });
  mention.scrollIntoView({ block: "nearest" });
};

/* The next mention of the open documents, before or after another, that can be seen. */
const step = (from, by) => {
  const all = [...document.querySelectorAll(".doc[open] .m:not(.g)")];
  let place = from ? all.indexOf(from.closest(".m:not(.g)") ?? from) : by > 0 ? -1 : all.length;
  for (place += by; place >= 0 && place < all.length; place += by) {
    if (all[place].checkVisibility()) return all[place];
  }
  return null;
};

const first = () => step(null, 1);

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "touch" && !held) light(chainOf(event.target));
});

document.addEventListener("click", (event) => {
  const chain = chainOf(event.target);
  if (event.target.closest?.("summary, label, input, #foot")) return;
  if (!getSelection().isCollapsed) return;
  held = chain && chain !== held ? chain : null;
  if (mentionOf(chain)) reach(chain);
  light(held);
});

document.addEventListener("focusin", (event) => {
  const mention = mentionOf(event.target);
  if (mention && !held) light(mention);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  const on = mentionOf(event.target);
  if (event.key === "Escape") {
    held = null;
    light(null);
  } else if (event.key === "Enter" && on) {
    held = held === on ? null : on;
    light(on);
  } else if (on && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    go(step(on, event.key === "ArrowRight" ? 1 : -1));
  } else {
    return;
  }
  event.preventDefault();
});

document.addEventListener("toggle", () => {
  if (!current?.checkVisibility()) reach(first());
}, true);

reach(first());
