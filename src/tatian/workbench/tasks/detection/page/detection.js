// The detection page: terms of a text are linked to Wikipedia pages (Mass et al. 2018, §8.1).
//
// State: {mentions: [{start, end, title}], typed, none}. `typed` are lines not added to the list
// yet; they count when one submits. `none`: there is nothing to link.

import { Offline, Problem } from "../../core/api.js";
import { button, h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { compareLinks } from "./feedback.js";
import { parse } from "./lines.js";
import { List } from "./list.js";
import { Picker } from "./picker.js";
import { Text, cover, inWords, ordered, otherPlaces, problemsOf, same } from "./rules.js";
import { Pages, Search } from "./search.js";
import { Typing } from "./typing.js";

export const style = "detection.css";

const HELP = [
  ["← →", "In the text: go from word to word"],
  ["Shift →", "Select while moving"],
  ["Space", "Select the word, or take it out of the selection"],
  ["Enter", "Look for a page; in the search: take the chosen one"],
  ["↑ ↓", "In the search: choose a page"],
  ["Esc", "Give the selection up, or go back to the text"],
];

export function stateOf({ mentions }) {
  const plain = mentions.map(({ start, end, title }) => ({ start, end, title }));
  return { mentions: plain, typed: "", none: !mentions.length };
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Detection(root, content, state, readonly, context);
}

class Detection {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.text = new Text(content.text);
    this.readonly = readonly;
    this.context = context;
    this.help = HELP;
    this.pages = new Pages(context);
    this.replaced = null;
    this.picker = new Picker({
      text: content.text,
      label: "Text: select a term to link",
      readonly,
      describe: (index) => this.described(index),
      onchange: (span) => this.selected(span),
      onenter: () => this.search.focus(),
    });
    this.search = new Search({
      pages: this.pages,
      onpick: (page) => this.pick(page),
      oncancel: () => this.cancel(),
    });
    this.typing = new Typing(this);
    this.build(root);
    this.restore(state);
  }

  build(root) {
    const heading = unique("link");
    this.asked = h("h3", { id: heading });
    this.panel = h("section", { class: "card linking", "aria-labelledby": heading, hidden: true },
      this.asked, this.search.node, button("Cancel", () => this.cancel()));
    this.offer = h("div", { class: "offer", role: "status" });
    this.none = h("input", { type: "checkbox", disabled: this.readonly, onchange: () => this.changed() });
    this.nothing = h("label", { class: "nothing" }, this.none, "There is nothing to link in this text");
    this.list = new List(this);
    const { topic } = this.content;
    root.append(h("div", { class: "detection" },
      topic ? h("section", { class: "card topic" }, h("h3", {}, "Topic"),
        h("p", { class: "reading", dir: direction(topic) }, topic)) : null,
      h("section", { class: "card" }, h("h3", {}, "Text"), this.picker.node),
      this.panel,
      this.offer,
      this.list.node,
      this.nothing,
      this.readonly ? null : this.typing.node,
    ));
  }

  state() {
    const { mentions, typed } = this;
    return structuredClone({ mentions, typed, none: this.none.checked });
  }

  restore(state) {
    const size = this.text.points.length;
    const fits = ({ start, end, title }) =>
      Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end && end <= size && title;
    this.mentions = ordered((state?.mentions || []).filter(fits));
    this.typed = String(state?.typed || "");
    this.none.checked = Boolean(state?.none) && !this.mentions.length;
    this.typing.restore();
    this.unoffer();
    this.select(null);
    this.draw();
  }

  // What is in the list and what is typed, together.
  get all() {
    const typed = parse(this.text, this.typed).mentions;
    return ordered([...this.mentions, ...typed.map(({ start, end, title }) => ({ start, end, title }))]);
  }

  term({ start, end }) {
    return this.text.part(start, end);
  }

  answer() {
    return { mentions: this.all.map((one) => ({ ...one, term: this.term(one) })) };
  }

  problems() {
    const { all } = this;
    const listed = this.wrong(all).flatMap((messages, index) =>
      messages.map((message) => `“${this.term(all[index])}”: ${message}`));
    const typed = parse(this.text, this.typed).problems
      .map(({ line, message }) => `Typed line ${line}: ${message}`);
    if (!all.length && !typed.length && !this.none.checked) {
      return ["Link at least one term, or say that there is nothing to link."];
    }
    return [...listed, ...typed];
  }

  wrong(mentions) {
    const rules = problemsOf(this.text, mentions, this.content.never);
    return mentions.map(({ title }, index) => {
      const problem = this.pages.known.get(title)?.problem;
      return problem ? [...rules[index], problem] : rules[index];
    });
  }

  changed(kind) {
    if (this.mentions.length) this.none.checked = false;
    this.draw();
    this.context.changed(kind);
  }

  draw() {
    const { links, joined } = inWords(this.picker.words, this.mentions);
    this.links = links;
    this.covered = cover(this.text, this.mentions);
    this.free = new Map();
    this.picker.joined = joined;
    this.picker.refresh();
    this.nothing.hidden = this.mentions.length > 0 || this.typed.trim() !== "";
    this.list.draw();
    this.typing.check();
    this.look();
  }

  described(index) {
    const here = this.links?.get(index);
    if (!here) return this.offered?.has(index) ? { classes: ["offered"], label: "" } : null;
    const titles = [...new Set(here.map(({ title }) => title))];
    return { classes: ["linked"], label: `linked to ${titles.join(", ")}` };
  }

  // Descriptions of pages that nobody has looked up since the page was loaded.
  async look() {
    const titles = [...new Set(this.mentions.map(({ title }) => title))];
    const unknown = titles.filter((title) => !this.pages.known.has(title));
    if (!unknown.length || this.looking) return;
    this.looking = true;
    try {
      for (const title of unknown) await this.pages.page(title);
      this.list.draw();
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    } finally {
      this.looking = false;
    }
  }

  select(span, replaced = null) {
    this.picker.pick(span);
    this.selected(span, replaced);
  }

  selected(span, replaced = null) {
    this.span = span;
    this.replaced = replaced;
    this.panel.hidden = !span;
    if (!span) return;
    this.unoffer();
    const term = this.term(span);
    const verb = replaced ? "Another page for" : "Link";
    this.asked.replaceChildren(`${verb} “`, h("bdi", {}, term), "” to");
    this.search.open(term);
  }

  pick({ title }) {
    const { span, replaced } = this;
    const kept = this.mentions.filter((one) => one !== replaced);
    this.mentions = ordered([...kept, { ...span, title }]);
    this.select(null);
    this.changed();
    this.context.announce(`“${this.term(span)}” is linked to ${title}.`);
    this.suggest({ ...span, title });
    this.picker.focus();
  }

  cancel() {
    this.select(null);
    this.picker.focus();
  }

  change(mention) {
    this.select(mention, mention);
    this.search.focus();
  }

  add(mention) {
    this.select({ start: mention.start, end: mention.end });
    this.search.focus();
  }

  remove(mention) {
    this.mentions = this.mentions.filter((one) => one !== mention);
    this.unoffer();
    this.changed();
    this.context.announce(`“${this.term(mention)}” is no longer linked to ${mention.title}.`);
    if (!this.mentions.length) this.picker.focus();
  }

  // Where else the term stands, unlinked; the same for all its places that are linked.
  others(mention) {
    const term = this.term(mention);
    if (!this.free.has(term)) this.free.set(term, otherPlaces(this.text, mention, this.covered));
    return this.free.get(term);
  }

  suggest(mention) {
    const places = this.others(mention);
    if (!places.length || this.readonly) return;
    this.offered = inWords(this.picker.words, places).links;
    this.picker.refresh();
    const times = places.length === 1 ? "at one more place" : `at ${places.length} more places`;
    this.offer.replaceChildren(
      h("p", {}, "“", h("bdi", {}, this.term(mention)), `” stands in the text ${times}.`),
      button(places.length === 1 ? "Link it there too" : "Link all of them", () => this.everywhere(mention)),
      button("No", () => {
        this.unoffer();
        this.picker.focus();
      }),
    );
  }

  unoffer() {
    if (!this.offered) return;
    this.offered = null;
    this.offer.replaceChildren();
    this.picker.refresh();
  }

  // The same page, or pages, at every other place of a term.
  everywhere(mention) {
    const titles = this.mentions.filter((one) => same(one, mention)).map(({ title }) => title);
    const places = this.others(mention);
    const more = places.flatMap((place) => titles.map((title) => ({ ...place, title })));
    this.mentions = ordered([...this.mentions, ...more]);
    this.unoffer();
    this.changed();
    this.context.announce(`“${this.term(mention)}” is linked at ${places.length} more places.`);
    this.picker.focus();
  }

  feedback(root, feedback) {
    compareLinks(root, this.text, this.all, feedback);
  }
}
