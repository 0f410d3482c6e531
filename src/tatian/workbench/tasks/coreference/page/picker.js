// The choice of an antecedent: typed text filters the list, arrows and Enter choose.
//
//   const picker = new Picker(words, markup, {choose(id), leave()})
//   picker.open(mention)   picker.close()   picker.node   picker.isOpen
//
// The list has the other chains, the nearest first, each with its phrase nearest before the mention.
// A chain matches by its number or by words of any of its phrases.

import { fill, h, isComposing, unique } from "../../core/dom.js";

const MOST_OPTIONS = 40;

export class Picker {
  constructor(words, markup, { choose, leave }) {
    Object.assign(this, { words, markup, choose, leave });
    this.id = unique("antecedents");
    this.field = h("input", {
      type: "text",
      role: "combobox",
      autocomplete: "off",
      "aria-expanded": "true",
      "aria-controls": this.id,
      "aria-label": "Antecedent: number of a chain, or words",
      placeholder: "number or words",
      oninput: () => this.update(),
      onkeydown: (event) => this.onKey(event),
    });
    this.list = h("ul", { id: this.id, role: "listbox", "aria-label": "Antecedents" });
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.choose(Number(option.dataset.mention));
    });
    this.node = h(
      "div",
      { class: "picker", hidden: true },
      h("p", {}, "Which phrase is it the same as? Click on one in the text, or choose here:"),
      this.field,
      this.list,
    );
  }

  get isOpen() {
    return !this.node.hidden;
  }

  open(mention) {
    this.mention = mention;
    this.candidateList = this.candidates(mention);
    this.field.value = "";
    this.node.hidden = false;
    this.update();
    this.field.focus();
  }

  close() {
    this.node.hidden = true;
    this.mention = null;
  }

  candidates(mention) {
    const nearest = new Map();
    const mentionsByChain = new Map();
    for (const id of this.markup.order) {
      const candidate = this.markup.get(id);
      if (candidate.chain === mention.chain) continue;
      if (!mentionsByChain.has(candidate.chain)) mentionsByChain.set(candidate.chain, []);
      mentionsByChain.get(candidate.chain).push(candidate);
      if (candidate.start <= mention.start || !nearest.has(candidate.chain)) nearest.set(candidate.chain, candidate);
    }
    const distance = (candidate) => (candidate.start <= mention.start ? mention.start - candidate.start : 1e9 + candidate.start);
    return [...nearest]
      .map(([chain, candidate]) => ({ chain, one: candidate, all: mentionsByChain.get(chain) }))
      .sort((first, second) => distance(first.one) - distance(second.one));
  }

  update() {
    const typed = this.field.value.trim().toLowerCase();
    const matches = ({ chain, all: mentions }) => {
      if (!typed || String(chain) === typed) return true;
      return mentions.some((candidate) => this.words.part(candidate.start, candidate.end).toLowerCase().includes(typed));
    };
    const shown = this.candidateList.filter(matches).slice(0, MOST_OPTIONS);
    shown.sort((candidate, other) => (String(other.chain) === typed) - (String(candidate.chain) === typed));
    const options = shown.map(({ chain, one: candidate, all: mentions }) =>
      h("li", { role: "option", id: unique("antecedent"), "data-mention": candidate.id },
        h("b", { class: "number" }, String(chain)),
        " ",
        h("bdi", {}, this.words.shorten(candidate.start, candidate.end, 50)),
        mentions.length > 1 && h("small", {}, ` × ${mentions.length}`)));
    fill(this.list, options.length ? options : h("li", { class: "hint", role: "option", "aria-disabled": "true" }, "No such phrase is marked."));
    this.select(0);
  }

  options() {
    return [...this.list.querySelectorAll("[data-mention]")];
  }

  select(place) {
    const options = this.options();
    this.place = Math.max(0, Math.min(options.length - 1, place));
    options.forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === this.place));
    });
    const active = options[this.place];
    if (active) {
      this.field.setAttribute("aria-activedescendant", active.id);
      active.scrollIntoView({ block: "nearest" });
    } else {
      this.field.removeAttribute("aria-activedescendant");
    }
  }

  onKey(event) {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.select(this.place + step);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      const active = this.options()[this.place];
      if (active) this.choose(Number(active.dataset.mention));
    } else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
