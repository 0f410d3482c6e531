// The links of the detection page in the order of the text, each with its page and what can be done.
//
//   const list = new List(page)   page: the Detection of detection.js
//   list.node   list.draw()       after a change; only entries that look different are made anew
//   article(title)                a link to Wikipedia that opens beside the work

import { button, h, inPlace } from "../../core/dom.js";
import { same } from "./rules.js";

export class List {
  constructor(page) {
    this.page = page;
    this.entries = new Map();
    this.count = h("h3", {});
    this.hint = h("p", { class: "faint" }, "Select a term in the text to link it.");
    this.list = h("ol", { class: "links" });
    this.list.addEventListener("click", (event) => this.press(event));
    this.node = h("section", { class: "card", "aria-label": "Links" }, this.count, this.hint, this.list);
  }

  draw() {
    inPlace(this.node, () => this.sync());
  }

  sync() {
    const { mentions } = this.page;
    const wrong = this.page.wrong(mentions);
    const count = mentions.length === 1 ? "1 link" : `${mentions.length} links`;
    if (this.count.textContent !== count) this.count.textContent = count;
    this.hint.hidden = mentions.length > 0;
    this.list.hidden = !mentions.length;
    const kept = new Map();
    mentions.forEach((mention, index) => {
      const entry = this.entry(mention, index, wrong[index]);
      kept.set(entry.key, entry);
    });
    for (const [key, { node }] of this.entries) if (!kept.has(key)) node.remove();
    this.entries = kept;
    let place = this.list.firstElementChild;
    for (const { node } of kept.values()) {
      if (place === node) place = node.nextElementSibling;
      else this.list.insertBefore(node, place);
    }
  }

  // The entry as it was where nothing about it has changed.
  entry(mention, index, problems) {
    const { page } = this;
    const { start, end, title } = mention;
    const known = page.pages.known.get(title);
    const offered = !index || !same(page.mentions[index - 1], mention);
    const more = offered ? page.others(mention).length : 0;
    const key = `${start} ${end} ${title}`;
    const sign = JSON.stringify([known?.description, known && !known.kind, problems, more > 0]);
    const before = this.entries.get(key);
    if (before?.sign === sign) return this.counted(Object.assign(before, { mention }), more);
    const node = drawn(page, mention, { known, more, problems });
    if (before) before.node.replaceWith(node);
    const entry = { key, sign, node, mention, more };
    entryOf.set(node, entry);
    return entry;
  }

  counted(entry, more) {
    if (entry.more === more) return entry;
    const { label, said } = everywhere(more);
    const pressed = entry.node.querySelector('[data-act="everywhere"]');
    pressed.textContent = label;
    pressed.setAttribute("aria-label", named(this.page, entry.mention, said));
    return Object.assign(entry, { more });
  }

  press(event) {
    const pressed = event.target.closest("button[data-act]");
    if (!pressed) return;
    const { mention } = entryOf.get(pressed.closest("li"));
    this.page[pressed.dataset.act](mention);
  }
}

const entryOf = new WeakMap();

function everywhere(more) {
  return { label: `Link ${more} more`, said: `Link at ${more} more places` };
}

function named(page, mention, said) {
  return `${said}: ${page.term(mention)}, ${mention.title}`;
}

function drawn(page, mention, { known, more, problems }) {
  const term = page.term(mention);
  const act = (name, label, said) =>
    button(label, null, { "data-act": name, "aria-label": named(page, mention, said) });
  const { label, said } = everywhere(more);
  return h(
    "li",
    { class: problems.length ? "wrong" : null },
    h("div", { class: "pair" },
      h("bdi", { class: "term" }, term),
      h("span", { "aria-hidden": "true" }, " → "),
      h("span", { class: "unseen" }, " linked to "),
      article(mention.title)),
    known?.description ? h("p", { class: "about", dir: "auto" }, known.description) : null,
    known && !known.kind ? h("p", { class: "about" }, "Not in the knowledge base: make sure that Wikipedia has this page.") : null,
    problems.map((problem) => h("p", { class: "problem" }, problem)),
    page.readonly ? null : h("div", { class: "does" },
      act("change", "Change", "Change the page"),
      act("add", "Another page", "Add another page"),
      more ? act("everywhere", label, said) : null,
      act("remove", "Remove", "Remove")),
  );
}

export function article(title) {
  const href = `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replace(/ /g, "_"))}`;
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, h("bdi", {}, title));
}
