// The words of a sentence and of its sources, which light each other up: pointing at a word of the
// text shows where in the accounts it came from, and the other way round.
//
//   const words = new Words({sentence, places, label, sources})
//   words.node      the sentence: a list of words to go through with the arrow keys
//   words.told      a line that says where the word in question comes from
//   words.texts     Map of a place's key to the source sentence as DOM
//   words.focus()

import { h } from "../core/dom.js";
import { direction } from "../core/direction.js";

const WORDLIKE = /[\p{L}\p{N}]/u;
const KINDS = {
  copied: "as in",
  inflected: "another form of",
  substituted: "in place of",
  aggregated: "names, among others,",
};

export class Words {
  constructor({ sentence, places, label, sources }) {
    this.sources = sources;
    this.at = 0;
    this.options = [];
    this.points = [...sentence.text];
    this.told = h("p", { class: "origin faint" });
    this.node = this.build(sentence, label);
    this.pieces = [];
    this.texts = new Map(places.map((place) => [place.key, this.source(place, sentence.words || [])]));
    this.show(null);
  }

  build(sentence, label) {
    const node = h("div", {
      class: "words", role: "listbox", dir: direction(sentence.text), "aria-label": label,
      onkeydown: (event) => this.key(event),
      onfocusin: (event) => this.show(this.indexOf(event.target), true),
      onfocusout: () => this.show(null),
      onpointerover: (event) => this.show(this.indexOf(event.target)),
      onpointerleave: () => this.show(null),
      onclick: (event) => this.options[this.indexOf(event.target)]?.node.focus(),
    });
    let end = 0;
    for (const [start, stop, origins = []] of sentence.words || []) {
      const text = this.points.slice(start, stop).join("");
      if (!WORDLIKE.test(text)) continue;
      node.append(this.points.slice(end, start).join(""));
      const option = h("span", {
        role: "option", "aria-selected": "false", class: signs(origins), tabindex: this.options.length ? -1 : 0,
        "data-word": this.options.length, "aria-label": `${text}, ${this.briefly(origins)}`,
      }, text);
      this.options.push({ node: option, text, origins });
      node.append(option);
      end = stop;
    }
    node.append(this.points.slice(end).join(""));
    if (!this.options.length) node.removeAttribute("role");
    return node;
  }

  // A source sentence, cut wherever a word of the text begins or ends to stand for it.
  source(place, words) {
    const points = [...place.text];
    const here = words.flatMap(([, , origins = []]) => origins)
      .filter(([account, sentence]) => account === place.account && sentence === place.sentence);
    const cuts = [...new Set([0, points.length, ...here.flatMap(([, , start, end]) => [start, end])])].sort((a, b) => a - b);
    const node = h("p", { class: "reading", dir: direction(place.text), onpointerleave: () => this.show(null) });
    cuts.slice(1).forEach((end, index) => {
      const start = cuts[index];
      const text = points.slice(start, end).join("");
      const used = here.some((origin) => origin[2] < end && start < origin[3]);
      if (!used) return node.append(text);
      const span = h("span", { class: "used", onpointerover: () => this.back(piece) }, text);
      const piece = { node: span, account: place.account, sentence: place.sentence, start, end };
      this.pieces.push(piece);
      return node.append(span);
    });
    return node;
  }

  indexOf(target) {
    const option = target.closest?.("[data-word]");
    return option ? Number(option.dataset.word) : null;
  }

  show(index, focused = false) {
    const word = this.options[index];
    this.light(word ? [word] : [], word ? this.pieces.filter((piece) => over(word, piece)) : []);
    this.told.textContent = word ? this.explained(word) : "Point at a word to see where it comes from.";
    if (word && focused) {
      this.options[this.at].node.tabIndex = -1;
      this.at = index;
      word.node.tabIndex = 0;
    }
  }

  back(piece) {
    this.light(this.options.filter((word) => over(word, piece)), [piece]);
  }

  light(words, pieces) {
    for (const one of this.options) {
      const on = words.includes(one);
      one.node.classList.toggle("lit", on);
      if (one.node.getAttribute("aria-selected") !== String(on)) one.node.setAttribute("aria-selected", String(on));
    }
    for (const one of this.pieces) one.node.classList.toggle("lit", pieces.includes(one));
  }

  briefly(origins) {
    if (!origins.length) return "in no account";
    const letters = [...new Set(origins.map(([account]) => this.sources.content.accounts[account].letter))];
    return `${changed(origins) ? "changed, " : ""}from ${letters.join(" and ")}`;
  }

  explained({ text, origins }) {
    if (!origins.length) return `“${text}”: in no account; written to join the others.`;
    const found = origins.map(([account, sentence, start, end, kind = "copied"]) => {
      const { letter, sentences } = this.sources.content.accounts[account];
      const quoted = [...sentences[sentence].text].slice(start, end).join("");
      return `${KINDS[kind]} “${quoted}” in ${letter}`;
    });
    return `“${text}”: ${[...new Set(found)].join("; ")}.`;
  }

  focus() {
    this.options[this.at]?.node.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = getComputedStyle(this.node).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const last = this.options.length - 1;
    const to = { Home: 0, End: last }[event.key] ?? (step ? Math.min(last, Math.max(0, this.at + step)) : null);
    if (to === null || last < 0) return;
    this.options[to].node.focus();
    event.preventDefault();
  }
}

function over({ origins }, piece) {
  return origins.some(([account, sentence, start, end]) =>
    account === piece.account && sentence === piece.sentence && start < piece.end && piece.start < end);
}

function changed(origins) {
  return origins.every(([, , , , kind = "copied"]) => kind !== "copied");
}

function signs(origins) {
  if (!origins.length) return "word own";
  return changed(origins) ? "word changed" : "word";
}
