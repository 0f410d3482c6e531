/* Lighting the chain of a mention on both sides, by pointer, finger or keys. The text is complete
   without this; listeners sit on the whole document, never on single mentions. */

const reading = document.getElementById("reading");
const MANY = 12;
let painted = [];
let held = null; /* the mention or chain the reader holds on to */
let current = null; /* the mention that can be reached by Tab */

const mentionOf = (node) => (node instanceof Element ? node.closest(".m") : null);
const chainOf = (node) => mentionOf(node) ?? (node instanceof Element ? node.closest(".chains li") : null);
const ofResponse = (mention) => Boolean(mention.closest("p.r"));

/* By which side's chains a mention, or an entry of a list of chains, is lit. */
const side = ({ dataset }, response) => (response || !dataset.k ? ["r", dataset.r] : ["k", dataset.k]);

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
  const [name, label] = side(what, ofResponse(what));
  const doc = what.closest(".doc");
  for (const node of doc.querySelectorAll(`[data-${name}="${CSS.escape(label)}"]`)) {
    if (node.matches(".m, .chains li")) {
      node.classList.add("lit");
      painted.push(node);
    }
  }
  reading.textContent = describe(name, label);
};

const count = (nodes, of) => {
  const found = new Map();
  for (const node of nodes) found.set(of(node), (found.get(of(node)) ?? 0) + 1);
  return [...found].map(([what, number]) => `${what} (${number})`).join(", ");
};

/* Which chain it is, its words, and where its mentions are on the other side. */
const describe = (name, label) => {
  const compared = Boolean(document.getElementById("v-both"));
  const whose = !compared ? "" : name === "k" ? " of the key" : " of the response";
  const cells = name === "k" ? "p.k, p.b" : "p.r, p.b";
  const own = painted.filter((node) => node.matches(".m:not(.g)") && node.closest(cells));
  const words = own.slice(0, MANY).map((node) => node.textContent.trim().replace(/\s+/g, " "));
  const rest = own.length > MANY ? ` and ${own.length - MANY} more` : "";
  const line = `Chain ${label}${whose}: ${words.join("; ")}${rest}`;
  if (!compared) return line;
  const other = name === "k" ? "r" : "k";
  const absent = name === "k" ? "missing" : "not in the key";
  const there = count(own, (node) => node.dataset[other] ?? absent);
  return `${line}. In the ${name === "k" ? "response" : "key"}: ${there}`;
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

const isWrong = (node) =>
  [...node.classList].some((name) => {
    if (!name.startsWith("e-")) return false;
    return document.getElementById(`f-${name.slice(2)}`)?.checked ?? true;
  });

/* The next mention of the open documents, before or after another, that can be seen. */
const step = (from, by, fits) => {
  const all = [...document.querySelectorAll(".doc[open] .m:not(.g)")];
  let place = from ? all.indexOf(from.closest(".m:not(.g)") ?? from) : by > 0 ? -1 : all.length;
  for (place += by; place >= 0 && place < all.length; place += by) {
    if (fits(all[place]) && all[place].checkVisibility()) return all[place];
  }
  return null;
};

const first = () => step(null, 1, () => true);

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
  } else if (event.key === "n" || event.key === "p") {
    go(step(on ?? mentionOf(held), event.key === "n" ? 1 : -1, isWrong));
  } else if (on && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const same = (node) => ofResponse(node) === ofResponse(on);
    go(step(on, event.key === "ArrowRight" ? 1 : -1, same));
  } else {
    return;
  }
  event.preventDefault();
});

document.addEventListener("toggle", () => {
  if (!current?.checkVisibility()) reach(first());
}, true);

reach(first());
