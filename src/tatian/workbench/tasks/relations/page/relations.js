// Relate words of two sentences: they say the same, or one says more.
//
// The draft is the answer: {relations: [{kind, first: [{start, end}], second: [{start, end}]}], note}.
// Chosen words without a relation are not part of it.

import { button, fill, h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { scoreLines } from "../../core/feedback.js";
import { Marker } from "../../core/marker.js";
import { characters, indicesWithin } from "../../core/text.js";

export const style = "../union.judge/judging.css";

const KINDS = {
  equivalent: ["Both say the same", "="],
  entails: ["Sentence 1 says more", ">"],
  entailed: ["Sentence 2 says more", "<"],
};
const KEYS = [
  ["← →", "Go from word to word"],
  ["Space", "Select the word, or deselect it"],
  ["Shift →", "Choose while moving"],
  ["E", "Both say the same"],
  ["1, 2", "Sentence 1 or 2 says more"],
  ["Tab", "Next text"],
];
const SHORTCUTS = { e: "equivalent", 1: "entails", 2: "entailed" };

export function stateOf(answer) {
  return answer;
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Relating(root, content, state, readonly, context);
}

class Relating {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.readonly = readonly;
    this.context = context;
    this.help = KEYS;
    this.relations = [];
    this.markers = content.sentences.map((text, side) => new Marker({
      text,
      label: `Sentence ${side + 1}: choose words`,
      readonly,
      describe: (place) => this.describeWord(side, place),
      onchange: () => this.updateTools(),
    }));
    this.note = h("textarea", {
      rows: 2, dir: "auto", readOnly: readonly, maxlength: 2000, oninput: () => context.changed("typing"),
    });
    this.list = h("ol", { class: "relations", "aria-label": "Relations" });
    this.tools = Object.entries(KINDS).map(([kind, [label]]) => button(label, () => this.relate(kind)));
    root.append(h("div", { class: "marking", onkeydown: (event) => this.onKey(event) },
      h("p", {}, "Choose words in both sentences, then say how they relate. What only one sentence says stays as it is."),
      this.markers.map((marker, side) =>
        h("section", { class: "card" }, h("h3", {}, `Sentence ${side + 1}`), marker.node)),
      readonly ? null : h("div", { class: "actions", role: "group", "aria-label": "The chosen words" }, this.tools),
      h("h3", {}, "Relations"),
      this.list,
      h("div", { class: "also" }, h("label", {}, "Note (if you like)", this.note))));
    this.restore(state);
  }

  describeWord(side, place) {
    const numbers = this.relations.flatMap((relation, index) =>
      indicesWithin(this.markers?.[side].words || [], spansBySide(relation)[side]).has(place) ? [index + 1] : []);
    return numbers.length ? { classes: ["again"], label: `relation ${numbers.join(", ")}` } : null;
  }

  state() {
    return { relations: structuredClone(this.relations), note: this.note.value };
  }

  restore(state) {
    this.relations = structuredClone(state?.relations || []);
    const note = state?.note ?? "";
    if (this.note.value !== note) this.note.value = note;
    this.draw();
  }

  answer() {
    return this.state();
  }

  problems() {
    const hasChosen = this.markers.some((marker) => marker.chosen.size);
    return hasChosen ? ["Words are chosen and not related: say how they relate, or leave them."] : [];
  }

  updateTools() {
    const isReady = this.markers.every((marker) => marker.chosen.size);
    for (const tool of this.tools) tool.disabled = !isReady;
  }

  relate(kind) {
    if (this.readonly || !this.markers.every((marker) => marker.chosen.size)) {
      if (!this.readonly) this.context.announce("Choose words in both sentences first.");
      return;
    }
    const [first, second] = this.markers.map((marker) => marker.spans());
    this.relations.push({ kind, first, second });
    for (const marker of this.markers) marker.choose(new Set());
    this.draw();
    this.context.announce(`Relation ${this.relations.length}: ${KINDS[kind][0]}`);
    this.context.changed();
  }

  remove(index) {
    this.relations.splice(index, 1);
    this.draw();
    this.context.announce(`Relation ${index + 1} is gone.`);
    this.context.changed();
    this.markers[0].focus();
  }

  draw() {
    const rows = this.relations.map((relation, index) => h("li", {},
      describeRelation(relation, this.content.sentences),
      this.readonly ? null : button("Remove", () => this.remove(index), { "aria-label": `Remove relation ${index + 1}` })));
    fill(this.list, rows.length ? rows : h("li", { class: "faint" }, "none yet"));
    for (const marker of this.markers) marker.refresh();
    this.updateTools();
  }

  onKey(event) {
    const kind = SHORTCUTS[event.key.toLowerCase()];
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (!kind || hasModifier || this.readonly || event.target.closest("textarea")) return;
    event.preventDefault();
    this.relate(kind);
  }

  feedback(root, { gold, note, score }) {
    root.append(...scoreLines(score, note));
    const relationList = (title, relations) => h("div", {}, h("h4", {}, title),
      h("ol", {}, (relations || []).map((relation) => h("li", {}, describeRelation(relation, this.content.sentences)))));
    root.append(h("div", { class: "beside marking" }, relationList("Yours", this.relations), relationList("Ours", gold.relations)));
  }
}

function spansBySide({ first, second }) {
  return [first, second];
}

function describeRelation(relation, texts) {
  const [label, sign] = KINDS[relation.kind];
  const [first, second] = spansBySide(relation).map((spans, side) =>
    spans.map(({ start, end }) => characters(texts[side], start, end)).join(" … "));
  return [
    h("span", { dir: direction(first) }, `“${first}”`),
    h("strong", { title: label }, ` ${sign} `),
    h("span", { dir: direction(second) }, `“${second}”`),
    h("span", { class: "faint" }, ` ${label.toLowerCase()} `),
  ];
}
