// Mark a conflict that was missed: choose two places in two sources, then "these disagree".
//
// The first place comes from the menu of a sentence, or from words that are selected in a source;
// the second is the sentence that is chosen, or words that are selected there.

import { ask, button, h } from "../core/dom.js";
import { named } from "./wording.js";

const WORD = /[\p{L}\p{N}]+(?:['’.,:-][\p{L}\p{N}]+)*/gu;
const NUMBER = /\p{N}|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|dozen)$/iu;

export class Differ {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.first = null;
    this.start = button("Disagrees with …", () => this.begin(this.selected()), { hidden: true });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": "Mark a disagreement", hidden: true }, button("Cancel", () => this.begin(null)));
    document.addEventListener("selectionchange", () => this.offer());
    // A press of the button must not take the selection away.
    this.start.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  // Words that are selected in one sentence of a source.
  selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    return this.reading.beside.placeOf(selection.getRangeAt(0));
  }

  offer() {
    this.start.hidden = this.first !== null || !this.selected();
  }

  // `place`: {account, number, start?, end?}
  begin(place) {
    const { reading } = this;
    this.first = place;
    this.tools.hidden = !place;
    reading.tools.hidden = Boolean(place);
    getSelection().removeAllRanges();
    this.offer();
    if (!place) return reading.show(reading.held, { held: true });
    reading.clear();
    reading.openSheet(!matchMedia("(min-width: 75rem)").matches);
    return reading.foot.invite("Choose the sentence of another source that says otherwise, or select its words.");
  }

  // Whether a place that was chosen is the second one.
  pick(place) {
    if (!this.first || !place) return false;
    const [first, second] = [this.first, { ...place, ...(this.selected() || {}) }];
    if (first.account === second.account) {
      this.reading.foot.invite("Choose a sentence of another source.");
      return true;
    }
    this.begin(null);
    this.question(first, second);
    return true;
  }

  async question(...places) {
    const said = places.map((place) => this.words(place));
    const guesses = said.map((words, at) => guess(words, said[1 - at]));
    const sides = places.map((place, at) => new Side(this.reading, place, said[at], guesses[at]));
    const chosen = await ask({
      title: "These disagree",
      body: [h("p", { class: "faint" }, "Choose the words on either side that cannot both be true. The text then says both, and you can settle it."), sides.map(({ node }) => node)],
      actions: [["These disagree", () => ({ kind: "differ", places: sides.map((side) => side.value) }), true, () => sides.every((side) => side.value)], ["Cancel", null]],
      wide: true,
    });
    if (chosen) await this.project.decide(chosen, "Marked. Settle it above the text.");
  }

  // The words of a sentence of a source, by their places there.
  words({ account, number }) {
    const [start, end] = this.reading.view.documents[account].sentences[number];
    const said = this.reading.beside.said(account, start, end);
    return [...said.matchAll(WORD)].map(({ 0: text, index }) => {
      const from = start + [...said.slice(0, index)].length;
      return { text, start: from, end: from + [...text].length };
    });
  }
}

// One side of the question: a sentence whose words are chosen, from the first pressed to the last.
class Side {
  constructor(reading, { account, number, start, end }, words, guessed) {
    const document = reading.view.documents[account];
    this.account = document.id;
    this.words = words;
    this.pressed = new Set(words.flatMap((word, at) => (start === undefined ? guessed === at : word.start < end && start < word.end) ? [at] : []));
    this.buttons = words.map(({ text }, at) => button(text, () => this.press(at), { class: "pick" }));
    const [from, to] = document.sentences[number];
    const pieces = [];
    let done = from;
    words.forEach((word, at) => {
      pieces.push(reading.beside.said(account, done, word.start), this.buttons[at]);
      done = word.end;
    });
    pieces.push(reading.beside.said(account, done, to));
    this.node = h("fieldset", { class: "side" }, h("legend", {}, named(account, document)), h("p", { class: "reading", dir: "auto" }, pieces));
    this.draw();
  }

  press(at) {
    if (!this.pressed.delete(at)) this.pressed.add(at);
    this.draw();
    this.node.dispatchEvent(new Event("change", { bubbles: true }));
  }

  get ends() {
    return this.pressed.size ? [Math.min(...this.pressed), Math.max(...this.pressed)] : null;
  }

  draw() {
    const [first, last] = this.ends || [1, 0];
    this.buttons.forEach((node, at) => node.setAttribute("aria-pressed", String(first <= at && at <= last)));
  }

  get value() {
    const ends = this.ends;
    return ends && { account: this.account, start: this.words[ends[0]].start, end: this.words[ends[1]].end };
  }
}

// The first figure, or else name, that the other sentence does not have.
function guess(words, others) {
  const known = new Set(others.map(({ text }) => text.toLowerCase()));
  const other = (such) => words.findIndex(({ text }, at) => !known.has(text.toLowerCase()) && such(text, at));
  const figure = other((text) => NUMBER.test(text));
  return figure >= 0 ? figure : other((text, at) => at > 0 && /^\p{Lu}/u.test(text));
}
