// An expert marks words: missing ones in the sources, unfaithful and redundant ones in the union.
//
// The draft is the answer: {missing: [{start, end, sentence}], unfaithful: [{start, end}],
// redundant: [{start, end}], unfluent, note}. Only content words count; the server says which are.

import { h, unique } from "../../core/dom.js";
import { scoreLines } from "../../core/feedback.js";
import { Marker } from "../../core/marker.js";
import { indicesWithin, toSpans, words } from "../../core/text.js";
import { legend } from "../union/highlight.js";

export const style = "../union.judge/judging.css";

const KINDS = {
  unfaithful: "Unfaithful: no sentence says it",
  redundant: "Redundant: the union says it again",
};
const SIGNS = [
  ["on missing", "missing: the union lacks it"],
  ["on unfaithful", "unfaithful: no sentence says it"],
  ["on redundant", "redundant: the union says it again"],
];
const KEYS = [
  ["← →", "Go from word to word"],
  ["Space", "Mark the word, or remove the mark"],
  ["Shift →", "Mark while moving"],
  ["U, R", "In the union: mark unfaithful or redundant words"],
  ["Tab", "Next text"],
];

export function stateOf(answer) {
  return answer;
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Marking(root, content, state, readonly, context);
}

class Marking {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.readonly = readonly;
    this.context = context;
    this.help = KEYS;
    this.kind = "unfaithful";
    this.words = words(content.union);
    this.sources = content.sentences.map((text, index) => new Marker({
      text,
      label: `Sentence ${index + 1}: mark what the union lacks`,
      kind: "missing",
      readonly,
      describe: (place) => (this.sources?.[index].chosen.has(place) ? { classes: [], label: "missing" } : null),
      onchange: () => this.changed(),
    }));
    this.chosen = { unfaithful: new Set(), redundant: new Set() };
    this.union = new Marker({
      text: content.union,
      label: "Union: mark what is wrong in it",
      kind: this.kind,
      readonly,
      describe: (place) => describeMarks({ ...this.chosen, [this.kind]: this.union?.chosen || new Set() }, place),
      onchange: (chosen) => {
        this.chosen[this.kind] = new Set(chosen);
        this.union.refresh();
        this.changed();
      },
    });
    this.unfluent = h("input", { type: "checkbox", disabled: readonly, onchange: () => this.changed() });
    this.note = h("textarea", {
      rows: 2, dir: "auto", readOnly: readonly, maxlength: 2000,
      oninput: () => this.changed("typing"),
    });
    this.countList = h("ul", { class: "counted", "aria-label": "Content words marked" });
    root.append(this.build());
    this.restore(state);
  }

  build() {
    const name = unique("kind");
    this.tools = Object.entries(KINDS).map(([kind, label]) =>
      h("input", {
        type: "radio", name, value: kind, checked: kind === this.kind, "aria-label": label,
        onchange: () => this.chooseKind(kind),
      }));
    const tool = (input) => h("label", {}, input,
      h("span", { "aria-hidden": "true" }, h("span", { class: `word on ${input.value}` }, input.value)));
    return h(
      "div",
      { class: "marking", onkeydown: (event) => this.onKey(event) },
      h("h2", {}, "What does the union lack?"),
      h("p", {}, "Mark it in the sentences, in one of them only where both say it."),
      this.sources.map((source, index) => card(`Sentence ${index + 1}`, source.node)),
      h("h2", {}, "What is wrong in the union?"),
      this.readonly ? null : h("fieldset", { class: "kinds" },
        h("legend", {}, "What you mark is"), this.tools.map(tool)),
      card("Union", this.union.node),
      this.countList,
      h("div", { class: "also" },
        h("label", { class: "choice" }, this.unfluent, "The union reads badly"),
        h("label", {}, "Note (if you like)", this.note)),
    );
  }

  state() {
    return {
      missing: this.sources.flatMap((source, sentence) =>
        source.spans().map((span) => ({ ...span, sentence }))),
      unfaithful: toSpans(this.content.union, this.words, this.chosen.unfaithful),
      redundant: toSpans(this.content.union, this.words, this.chosen.redundant),
      unfluent: this.unfluent.checked,
      note: this.note.value,
    };
  }

  restore(state) {
    const { missing = [], unfaithful = [], redundant = [], unfluent = false, note = "" } = state || {};
    this.sources.forEach((source, index) =>
      source.choose(indicesWithin(source.words, missing.filter(({ sentence }) => sentence === index))));
    this.chosen = { unfaithful: indicesWithin(this.words, unfaithful), redundant: indicesWithin(this.words, redundant) };
    this.union.choose(this.chosen[this.kind]);
    this.unfluent.checked = unfluent;
    if (this.note.value !== note) this.note.value = note;
    this.updateCounts();
  }

  answer() {
    return this.state();
  }

  problems() {
    return [];
  }

  changed(kind) {
    this.updateCounts();
    this.context.changed(kind);
  }

  chooseKind(kind) {
    this.kind = kind;
    this.union.kind = kind;
    this.union.choose(this.chosen[kind]);
    this.tools.forEach((tool) => (tool.checked = tool.value === kind));
    this.context.announce(KINDS[kind]);
  }

  updateCounts() {
    const { sentences, union } = this.content.content;
    const state = this.state();
    const missingCount = sentences.reduce((sum, places, index) =>
      sum + countTouched(places, state.missing.filter(({ sentence }) => sentence === index)), 0);
    const parts = [
      ["missing", missingCount],
      ["unfaithful", countTouched(union, state.unfaithful)],
      ["redundant", countTouched(union, state.redundant)],
    ];
    this.countList.replaceChildren(
      ...parts.map(([kind, number]) => h("li", {}, h("strong", {}, number), ` ${kind}`)),
      h("li", { class: "faint" }, `of ${union.length} content words in the union`),
    );
  }

  onKey(event) {
    const kind = { u: "unfaithful", r: "redundant" }[event.key.toLowerCase()];
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (!kind || hasModifier || this.readonly || event.target.closest("textarea")) return;
    event.preventDefault();
    this.chooseKind(kind);
  }

  feedback(root, { gold, note, score }) {
    const state = this.state();
    root.append(...scoreLines(score, note));
    const sideBySide = (title, draw) => h("section", { class: "card" }, h("h3", {}, title),
      h("div", { class: "beside marking" },
        h("div", {}, h("h4", {}, "Yours"), draw(state)), h("div", {}, h("h4", {}, "Ours"), draw(gold))));
    this.content.sentences.forEach((text, index) =>
      root.append(sideBySide(`Sentence ${index + 1}`, (marks) => {
        const sentenceWords = words(text);
        const missing = indicesWithin(sentenceWords, (marks.missing || []).filter(({ sentence }) => sentence === index));
        return staticView(text, { missing });
      })));
    root.append(sideBySide("Union", (marks) => staticView(this.content.union, {
      unfaithful: indicesWithin(this.words, marks.unfaithful || []),
      redundant: indicesWithin(this.words, marks.redundant || []),
    })));
    root.append(h("div", { class: "marking" }, legend(...SIGNS)));
  }
}

function card(title, node) {
  return h("section", { class: "card" }, h("h3", {}, title), node);
}

function staticView(text, chosen) {
  const describe = (place) => describeMarks(chosen, place);
  return new Marker({ text, label: text, readonly: true, describe }).node;
}

function describeMarks(chosen, place) {
  const kinds = Object.keys(chosen).filter((kind) => chosen[kind].has(place));
  return kinds.length ? { classes: ["on", ...kinds], label: kinds.join(", ") } : null;
}

function countTouched(places, spans) {
  return places.filter(([start, end]) => spans.some((span) => span.start < end && start < span.end)).length;
}
