// The links of the detection page in the order of the text, each with its page and actions.
//
//   const list = new List(page)   page: the Detection of detection.js
//   list.node   list.draw()       redraws only entries that look different
//   articleLink(title)            a link to Wikipedia, in a new tab

import { button, h, keepFocus } from "../../core/dom.js";
import { isSamePlace } from "./rules.js";

export class List {
  constructor(page) {
    this.page = page;
    this.entries = new Map();
    this.count = h("h3", {});
    this.hint = h("p", { class: "faint" }, "Select a term in the text to link it.");
    this.list = h("ol", { class: "links" });
    this.list.addEventListener("click", (event) => this.onPress(event));
    this.node = h("section", { class: "card", "aria-label": "Links" }, this.count, this.hint, this.list);
  }

  draw() {
    keepFocus(this.node, () => this.sync());
  }

  sync() {
    const { mentions } = this.page;
    const problems = this.page.problemsOf(mentions);
    const count = mentions.length === 1 ? "1 link" : `${mentions.length} links`;
    if (this.count.textContent !== count) this.count.textContent = count;
    this.hint.hidden = mentions.length > 0;
    this.list.hidden = !mentions.length;
    const entries = new Map();
    mentions.forEach((mention, index) => {
      const entry = this.entry(mention, index, problems[index]);
      entries.set(entry.key, entry);
    });
    for (const [key, { node }] of this.entries) if (!entries.has(key)) node.remove();
    this.entries = entries;
    let place = this.list.firstElementChild;
    for (const { node } of entries.values()) {
      if (place === node) place = node.nextElementSibling;
      else this.list.insertBefore(node, place);
    }
  }

  // Return the entry of a mention: the old one unless its appearance has changed.
  entry(mention, index, problems) {
    const { page } = this;
    const { start, end, title } = mention;
    const known = page.pages.known.get(title);
    const offered = !index || !isSamePlace(page.mentions[index - 1], mention);
    const more = offered ? page.otherPlacesOf(mention).length : 0;
    const key = `${start} ${end} ${title}`;
    const appearance = JSON.stringify([known?.description, known && !known.kind, problems, more > 0]);
    const before = this.entries.get(key);
    if (before?.appearance === appearance) return this.updateCount(Object.assign(before, { mention }), more);
    const node = buildEntry(page, mention, { known, more, problems });
    if (before) before.node.replaceWith(node);
    const entry = { key, appearance, node, mention, more };
    entryOf.set(node, entry);
    return entry;
  }

  updateCount(entry, more) {
    if (entry.more === more) return entry;
    const { label, spoken: spoken } = linkMoreLabels(more);
    const actButton = entry.node.querySelector('[data-act="everywhere"]');
    actButton.textContent = label;
    actButton.setAttribute("aria-label", buttonLabel(this.page, entry.mention, spoken));
    return Object.assign(entry, { more });
  }

  onPress(event) {
    const actButton = event.target.closest("button[data-act]");
    if (!actButton) return;
    const { mention } = entryOf.get(actButton.closest("li"));
    this.page[actButton.dataset.act](mention);
  }
}

const entryOf = new WeakMap();

function linkMoreLabels(more) {
  return { label: `Link ${more} more`, spoken: `Link at ${more} more places` };
}

function buttonLabel(page, mention, spoken) {
  return `${spoken}: ${page.term(mention)}, ${mention.title}`;
}

function buildEntry(page, mention, { known, more, problems }) {
  const term = page.term(mention);
  const act = (name, label, spoken) =>
    button(label, null, { "data-act": name, "aria-label": buttonLabel(page, mention, spoken) });
  const { label, spoken: spoken } = linkMoreLabels(more);
  return h(
    "li",
    { class: problems.length ? "wrong" : null },
    h("div", { class: "pair" },
      h("bdi", { class: "term" }, term),
      h("span", { "aria-hidden": "true" }, " → "),
      h("span", { class: "unseen" }, " linked to "),
      articleLink(mention.title)),
    known?.description ? h("p", { class: "about", dir: "auto" }, known.description) : null,
    known && !known.kind ? h("p", { class: "about" }, "Not in the knowledge base: make sure that Wikipedia has this page.") : null,
    problems.map((problem) => h("p", { class: "problem" }, problem)),
    page.readonly ? null : h("div", { class: "does" },
      act("change", "Change", "Change the page"),
      act("add", "Another page", "Add another page"),
      more ? act("everywhere", label, spoken) : null,
      act("remove", "Remove", "Remove")),
  );
}

export function articleLink(title) {
  const href = `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replace(/ /g, "_"))}`;
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, h("bdi", {}, title));
}
