// The links of the detection page in the order of the text, each with its page and what can be done.
//
//   drawList(page, node)   page: the Detection of detection.js
//   article(title)         a link to Wikipedia that opens beside the work

import { button, fill, h } from "../core/dom.js";
import { same } from "./detection-rules.js";

export function drawList(page, node) {
  const { mentions } = page;
  const wrong = page.wrong(mentions);
  const count = mentions.length === 1 ? "1 link" : `${mentions.length} links`;
  fill(
    node,
    h("h3", {}, count),
    mentions.length
      ? h("ol", { class: "links" }, mentions.map((one, index) => entry(page, one, index, wrong[index])))
      : h("p", { class: "faint" }, "Select a term in the text to link it."),
  );
}

function entry(page, mention, index, problems) {
  const term = page.term(mention);
  const known = page.pages.known.get(mention.title);
  const offered = !index || !same(page.mentions[index - 1], mention);
  const more = offered ? page.others(mention).length : 0;
  const named = (label) => ({ "aria-label": `${label}: ${term}, ${mention.title}` });
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
      button("Change", () => page.change(mention), named("Change the page")),
      button("Another page", () => page.add(mention), named("Add another page")),
      more ? button(`Link ${more} more`, () => page.everywhere(mention), named(`Link at ${more} more places`)) : null,
      button("Remove", () => page.remove(mention), named("Remove"))),
  );
}

export function article(title) {
  const href = `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replace(/ /g, "_"))}`;
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, h("bdi", {}, title));
}
