// The union page: read, choose the base, highlight what is new, write (Hirsch et al. 2023, §4.2,
// App. A and C).
//
// State: {step, base, tried: {[base]: {highlights, merged}}, skip: {reason, note} | null}. Each base
// keeps its own work, so that nothing is lost when another is tried. Sentences are identified by
// their index in the source, in whatever order they are shown.

import { button, fill, h, unique } from "../../core/dom.js";
import { indicesWithin, missingWords, vocabulary, words } from "../../core/text.js";
import { compareAnswers } from "./feedback.js";
import { drawHighlight } from "./highlight.js";
import { drawSkip } from "./skip.js";
import { drawWrite } from "./write.js";

const STEPS = ["Read", "Choose the base", "Highlight", "Write"];

const KEPT =
  "Your highlights and text for the other base are not used now, but kept: " +
  "choose it again to have them back.";

const HELP = [
  ["← →", "Step 3: go from word to word"],
  ["Space", "Step 3: highlight the word, or remove the highlight"],
  ["Shift →", "Step 3: highlight while moving"],
];

export function stateOf(answer) {
  if (answer.type === "skipped") {
    const skip = { reason: answer.reason, note: answer.note || "" };
    return { step: 1, base: null, tried: {}, skip };
  }
  const { base, highlights = [], merged } = answer;
  return { step: 4, base, tried: { [base]: { highlights, merged } }, skip: null };
}

export function mount(root, { content, state, readonly }, context) {
  return new UnionPage(root, content, state, readonly, context);
}

class UnionPage {
  constructor(root, content, state, readonly, context) {
    this.root = root;
    this.content = content;
    this.sentences = new Map(content.sentences.map(({ id, text }) => [id, text]));
    this.order = content.sentences.map(({ id }) => id);
    this.readonly = readonly;
    this.context = context;
    this.help = HELP;
    this.restore(state);
  }

  restore(state) {
    this.step = state?.step ?? 1;
    this.base = state?.base ?? null;
    this.tried = structuredClone(state?.tried ?? {});
    this.skip = state?.skip ? { ...state.skip } : null;
    this.draw();
  }

  state() {
    const { step, base, tried, skip } = this;
    return structuredClone({ step, base, tried, skip });
  }

  get work() {
    this.tried[this.base] ??= { highlights: [], merged: null };
    return this.tried[this.base];
  }

  get merged() {
    return this.work.merged ?? this.sentences.get(this.base);
  }

  get others() {
    return this.order.filter((id) => id !== this.base);
  }

  name(id) {
    return `Sentence ${this.order.indexOf(id) + 1}`;
  }

  answer() {
    if (this.skip) return { type: "skipped", ...this.skip };
    const merged = this.merged.replace(/\s+/g, " ").trim();
    return { type: "written", base: this.base, merged, highlights: this.work.highlights };
  }

  ready() {
    return this.skip !== null || this.step === 4;
  }

  problems() {
    if (this.skip) return this.skip.reason ? [] : ["Say why you skip these sentences."];
    if (this.base === null) return ["Choose the base sentence (step 2)."];
    if (this.step < 4) return ["Write the merged sentence (step 4)."];
    if (!this.merged.trim()) return ["The merged sentence is empty; you can also skip."];
    const unwritten = this.unwrittenWords();
    if (!unwritten.length) return [];
    const quoted = unwritten.map((word) => `“${word}”`).join(", ");
    const what = `Highlighted, but not in the merged sentence yet: ${quoted}.`;
    return [`${what} Write it in, or go back and take the highlight away.`];
  }

  highlightedWords() {
    return this.others.flatMap((id) => {
      const all = words(this.sentences.get(id));
      return [...indicesWithin(all, this.spans(id))].map((index) => all[index].text);
    });
  }

  spans(id) {
    return this.work.highlights.filter((highlight) => highlight.sentence === id);
  }

  highlightedVocabulary() {
    return vocabulary(this.highlightedWords().join(" "));
  }

  unwrittenWords() {
    return missingWords(this.highlightedWords().join(" "), this.merged);
  }

  changed(kind) {
    this.context.changed(kind);
  }

  goToStep(step) {
    if (step === this.step && !this.skip) return;
    this.step = step;
    this.skip = null;
    this.draw();
    this.changed();
    this.heading.focus();
  }

  draw() {
    this.heading = h("h2", { tabindex: -1 });
    const body = h("div", { class: "step" });
    if (this.skip) drawSkip(this, body);
    else [drawRead, drawChoose, drawHighlight, drawWrite][this.step - 1](this, body);
    fill(this.root, this.drawSteps(), this.heading, body, this.readonly ? null : this.drawMoves());
  }

  drawSteps() {
    const items = STEPS.map((name, index) => {
      const step = index + 1;
      const current = !this.skip && step === this.step;
      const reachable = step <= 2 || this.base !== null;
      const label = `${step} ${name}`;
      const move = button(label, () => this.goToStep(step), {
        disabled: !reachable || this.readonly,
        "aria-current": current ? "step" : null,
      });
      return h("li", {}, move);
    });
    return h("ol", { class: "steps", "aria-label": "Steps" }, items);
  }

  drawMoves() {
    const { step } = this;
    const moves = this.skip
      ? [button("Do not skip", () => this.setSkip(null))]
      : [
          step < 4 &&
            button("Next", () => this.goToStep(step + 1), {
              class: "primary",
              disabled: step === 2 && this.base === null,
            }),
          step > 1 && button("Back", () => this.goToStep(step - 1)),
          button("Skip these sentences", () => this.setSkip({ reason: null, note: "" })),
        ];
    return h("div", { class: "actions" }, moves);
  }

  setSkip(skip) {
    this.skip = skip;
    this.draw();
    this.changed();
    this.heading.focus();
  }

  card(id, child, label = this.name(id)) {
    return h("section", { class: "card", "data-sentence": id }, h("h3", {}, label), child);
  }

  sentenceNode(id) {
    return h("p", { class: "reading", dir: "auto" }, this.sentences.get(id));
  }

  dateNode() {
    const { date } = this.content;
    return date ? h("p", { class: "faint" }, `Published on ${date}.`) : null;
  }

  chooseBase(id) {
    this.base = id;
    this.draw();
    this.changed();
    this.root.querySelector(`input[value="${id}"]`).focus();
  }

  setHighlights(id, spans) {
    const others = this.work.highlights.filter((highlight) => highlight.sentence !== id);
    const added = spans.map(({ start, end }) => ({ start, end, sentence: id }));
    this.work.highlights = [...others, ...added];
  }

  feedback(root, feedback) {
    compareAnswers(root, this, feedback);
  }
}

function drawRead(page, body) {
  page.heading.textContent = "Step 1: Read the sentences";
  body.append(
    h("p", {}, "Make sure that you understand all of them, and what they share."),
    page.dateNode() ?? "",
    ...page.order.map((id) => page.card(id, page.sentenceNode(id))),
  );
}

function drawChoose(page, body) {
  page.heading.textContent = "Step 2: Choose the base sentence";
  const group = unique("base");
  const cards = page.order.map((id) =>
    h(
      "label",
      { class: page.base === id ? "card chosen" : "card", "data-sentence": id },
      h("input", {
        type: "radio",
        name: group,
        value: String(id),
        checked: page.base === id,
        disabled: page.readonly,
        onchange: () => page.chooseBase(id),
      }),
      h("span", { class: "title" }, ` ${page.name(id)}`),
      h("span", { class: "reading", dir: "auto" }, page.sentences.get(id)),
    ),
  );
  const hasOther = Object.entries(page.tried).some(
    ([base, { highlights, merged }]) =>
      Number(base) !== page.base && (highlights.length || merged !== null),
  );
  body.append(
    h("p", {}, "Take the one that says more: you will write what the rest adds into it."),
    h("div", { role: "radiogroup", "aria-label": "The base sentence" }, cards),
  );
  if (hasOther) body.append(h("p", { role: "status", class: "note" }, KEPT));
}
