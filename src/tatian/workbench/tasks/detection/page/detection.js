// The detection page: terms of a text are linked to Wikipedia pages (Mass et al. 2018, §8.1).
//
// State: {mentions: [{start, end, title}], typed, none}. `typed` are lines not yet added to the list;
// they are submitted too. `none` means that there is nothing to link.

import { Offline, Problem } from "../../core/api.js";
import { button, h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { compareLinks } from "./feedback.js";
import { parse } from "./lines.js";
import { List } from "./list.js";
import { Picker } from "./picker.js";
import { Text, coverMentions, isSamePlace, linksByWord, otherPlaces, problemsOf, sortMentions } from "./rules.js";
import { Pages, Search } from "./search.js";
import { Typing } from "./typing.js";

export const style = "detection.css";

const HELP = [
  ["← →", "In the text: go from word to word"],
  ["Shift →", "Select while moving"],
  ["Space", "Select the word, or remove it from the selection"],
  ["Enter", "Look for a page; in the search: take the chosen one"],
  ["↑ ↓", "In the search: choose a page"],
  ["Esc", "Clear the selection, or go back to the text"],
];

export function stateOf({ mentions }) {
  const links = mentions.map(({ start, end, title }) => ({ start, end, title }));
  return { mentions: links, typed: "", none: !mentions.length };
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
      describe: (index) => this.describeWord(index),
      onchange: (span) => this.onSelect(span),
      onenter: () => this.search.focus(),
    });
    this.search = new Search({
      pages: this.pages,
      onpick: (page) => this.linkTo(page),
      oncancel: () => this.cancel(),
    });
    this.typing = new Typing(this);
    this.build(root);
    this.restore(state);
  }

  build(root) {
    const heading = unique("link");
    this.question = h("h3", { id: heading });
    this.linkPanel = h("section", { class: "card linking", "aria-labelledby": heading, hidden: true },
      this.question, this.search.node, button("Cancel", () => this.cancel()));
    this.offerArea = h("div", { class: "offer", role: "status" });
    this.nothingBox = h("input", { type: "checkbox", disabled: this.readonly, onchange: () => this.changed() });
    this.nothingLabel = h("label", { class: "nothing" }, this.nothingBox, "There is nothing to link in this text");
    this.list = new List(this);
    const { topic } = this.content;
    root.append(h("div", { class: "detection" },
      topic ? h("section", { class: "card topic" }, h("h3", {}, "Topic"),
        h("p", { class: "reading", dir: direction(topic) }, topic)) : null,
      h("section", { class: "card" }, h("h3", {}, "Text"), this.picker.node),
      this.linkPanel,
      this.offerArea,
      this.list.node,
      this.nothingLabel,
      this.readonly ? null : this.typing.node,
    ));
  }

  state() {
    const { mentions, typed } = this;
    return structuredClone({ mentions, typed, none: this.nothingBox.checked });
  }

  restore(state) {
    const size = this.text.points.length;
    const fits = ({ start, end, title }) =>
      Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end && end <= size && title;
    this.mentions = sortMentions((state?.mentions || []).filter(fits));
    this.typed = String(state?.typed || "");
    this.nothingBox.checked = Boolean(state?.none) && !this.mentions.length;
    this.typing.restore();
    this.clearOffer();
    this.selectSpan(null);
    this.draw();
  }

  // The links in the list and the typed ones.
  get allMentions() {
    const typed = parse(this.text, this.typed).mentions;
    return sortMentions([...this.mentions, ...typed.map(({ start, end, title }) => ({ start, end, title }))]);
  }

  term({ start, end }) {
    return this.text.part(start, end);
  }

  answer() {
    return { mentions: this.allMentions.map((link) => ({ ...link, term: this.term(link) })) };
  }

  problems() {
    const { allMentions } = this;
    const listProblems = this.problemsOf(allMentions).flatMap((messages, index) =>
      messages.map((message) => `“${this.term(allMentions[index])}”: ${message}`));
    const typed = parse(this.text, this.typed).problems
      .map(({ line, message }) => `Typed line ${line}: ${message}`);
    if (!allMentions.length && !typed.length && !this.nothingBox.checked) {
      return ["Link at least one term, or say that there is nothing to link."];
    }
    return [...listProblems, ...typed];
  }

  problemsOf(mentions) {
    const rules = problemsOf(this.text, mentions, this.content.never);
    return mentions.map(({ title }, index) => {
      const problem = this.pages.known.get(title)?.problem;
      return problem ? [...rules[index], problem] : rules[index];
    });
  }

  changed(kind) {
    if (this.mentions.length) this.nothingBox.checked = false;
    this.draw();
    this.context.changed(kind);
  }

  draw() {
    const { links, joined } = linksByWord(this.picker.words, this.mentions);
    this.links = links;
    this.covered = coverMentions(this.text, this.mentions);
    this.otherPlacesByTerm = new Map();
    this.picker.joined = joined;
    this.picker.refresh();
    this.nothingLabel.hidden = this.mentions.length > 0 || this.typed.trim() !== "";
    this.list.draw();
    this.typing.check();
    this.loadDescriptions();
  }

  describeWord(index) {
    const links = this.links?.get(index);
    if (!links) return this.offered?.has(index) ? { classes: ["offered"], label: "" } : null;
    const titles = [...new Set(links.map(({ title }) => title))];
    return { classes: ["linked"], label: `linked to ${titles.join(", ")}` };
  }

  // Load the descriptions of pages that are not known yet.
  async loadDescriptions() {
    const titles = [...new Set(this.mentions.map(({ title }) => title))];
    const unknown = titles.filter((title) => !this.pages.known.has(title));
    if (!unknown.length || this.isLoading) return;
    this.isLoading = true;
    try {
      for (const title of unknown) await this.pages.page(title);
      this.list.draw();
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    } finally {
      this.isLoading = false;
    }
  }

  selectSpan(span, replaced = null) {
    this.picker.pick(span);
    this.onSelect(span, replaced);
  }

  onSelect(span, replaced = null) {
    this.span = span;
    this.replaced = replaced;
    this.linkPanel.hidden = !span;
    if (!span) return;
    this.clearOffer();
    const term = this.term(span);
    const verb = replaced ? "Another page for" : "Link";
    this.question.replaceChildren(`${verb} “`, h("bdi", {}, term), "” to");
    this.search.open(term);
  }

  linkTo({ title }) {
    const { span, replaced } = this;
    const others = this.mentions.filter((link) => link !== replaced);
    this.mentions = sortMentions([...others, { ...span, title }]);
    this.selectSpan(null);
    this.changed();
    this.context.announce(`“${this.term(span)}” is linked to ${title}.`);
    this.offerOtherPlaces({ ...span, title });
    this.picker.focus();
  }

  cancel() {
    this.selectSpan(null);
    this.picker.focus();
  }

  change(mention) {
    this.selectSpan(mention, mention);
    this.search.focus();
  }

  add(mention) {
    this.selectSpan({ start: mention.start, end: mention.end });
    this.search.focus();
  }

  remove(mention) {
    this.mentions = this.mentions.filter((link) => link !== mention);
    this.clearOffer();
    this.changed();
    this.context.announce(`“${this.term(mention)}” is no longer linked to ${mention.title}.`);
    if (!this.mentions.length) this.picker.focus();
  }

  // The other, unlinked places of a term, which are the same for all its links.
  otherPlacesOf(mention) {
    const term = this.term(mention);
    if (!this.otherPlacesByTerm.has(term)) this.otherPlacesByTerm.set(term, otherPlaces(this.text, mention, this.covered));
    return this.otherPlacesByTerm.get(term);
  }

  offerOtherPlaces(mention) {
    const places = this.otherPlacesOf(mention);
    if (!places.length || this.readonly) return;
    this.offered = linksByWord(this.picker.words, places).links;
    this.picker.refresh();
    const times = places.length === 1 ? "at one more place" : `at ${places.length} more places`;
    this.offerArea.replaceChildren(
      h("p", {}, "“", h("bdi", {}, this.term(mention)), `” stands in the text ${times}.`),
      button(places.length === 1 ? "Link it there too" : "Link all of them", () => this.everywhere(mention)),
      button("No", () => {
        this.clearOffer();
        this.picker.focus();
      }),
    );
  }

  clearOffer() {
    if (!this.offered) return;
    this.offered = null;
    this.offerArea.replaceChildren();
    this.picker.refresh();
  }

  // Link every other place of a term to the same pages.
  everywhere(mention) {
    const titles = this.mentions.filter((link) => isSamePlace(link, mention)).map(({ title }) => title);
    const places = this.otherPlacesOf(mention);
    const more = places.flatMap((place) => titles.map((title) => ({ ...place, title })));
    this.mentions = sortMentions([...this.mentions, ...more]);
    this.clearOffer();
    this.changed();
    this.context.announce(`“${this.term(mention)}” is linked at ${places.length} more places.`);
    this.picker.focus();
  }

  feedback(root, feedback) {
    compareLinks(root, this.text, this.allMentions, feedback);
  }
}
