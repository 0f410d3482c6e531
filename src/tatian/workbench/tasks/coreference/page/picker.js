// The choice of an antecedent: what is typed narrows the list, arrows and Enter choose.
//
//   const picker = new Picker(words, markup, {choose(id), leave()})
//   picker.open(mention)   picker.close()   picker.node   picker.isOpen
//
// Offered are the other chains, each by its phrase nearest before the mention, the nearest first; the
// number of a chain or any words of any of its phrases find it.

import { composing, fill, h, unique } from "../../core/dom.js";

const OFFERED = 40;

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
      oninput: () => this.offer(),
      onkeydown: (event) => this.key(event),
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
    this.found = this.candidates(mention);
    this.field.value = "";
    this.node.hidden = false;
    this.offer();
    this.field.focus();
  }

  close() {
    this.node.hidden = true;
    this.mention = null;
  }

  candidates(mention) {
    const nearest = new Map();
    const all = new Map();
    for (const id of this.markup.order) {
      const one = this.markup.get(id);
      if (one.chain === mention.chain) continue;
      if (!all.has(one.chain)) all.set(one.chain, []);
      all.get(one.chain).push(one);
      if (one.start <= mention.start || !nearest.has(one.chain)) nearest.set(one.chain, one);
    }
    const away = (one) => (one.start <= mention.start ? mention.start - one.start : 1e9 + one.start);
    return [...nearest]
      .map(([chain, one]) => ({ chain, one, all: all.get(chain) }))
      .sort((first, second) => away(first.one) - away(second.one));
  }

  offer() {
    const typed = this.field.value.trim().toLowerCase();
    const fits = ({ chain, all }) => {
      if (!typed || String(chain) === typed) return true;
      return all.some((one) => this.words.part(one.start, one.end).toLowerCase().includes(typed));
    };
    const shown = this.found.filter(fits).slice(0, OFFERED);
    shown.sort((one, other) => (String(other.chain) === typed) - (String(one.chain) === typed));
    const options = shown.map(({ chain, one, all }) =>
      h("li", { role: "option", id: unique("antecedent"), "data-mention": one.id },
        h("b", { class: "number" }, String(chain)),
        " ",
        h("bdi", {}, this.words.shown(one.start, one.end, 50)),
        all.length > 1 && h("small", {}, ` × ${all.length}`)));
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

  key(event) {
    if (composing(event)) return;
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
