// Mark a conflict that consolidation has not found: choose a place in each of two sources.
//
// The first place comes from the menu of a sentence, or from selected words of a source. The second
// is the sentence that is clicked, or words that are selected in it.

import { ask, button, h } from "../core/dom.js";
import { named } from "./wording.js";

const WORD = /[\p{L}\p{N}]+(?:['’.,:-][\p{L}\p{N}]+)*/gu;
const NUMBER = /\p{N}|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|dozen)$/iu;

export class ConflictMarker {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.first = null;
    this.start = button("Disagrees with …", () => this.begin(this.selected()), { hidden: true });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": "Mark a disagreement", hidden: true }, button("Cancel", () => this.begin(null)));
    document.addEventListener("selectionchange", () => this.offer());
    // A press of the button must not clear the selection.
    this.start.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  // The place of selected words in one sentence of a source; or null.
  selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    return this.reading.sourcePane.placeOf(selection.getRangeAt(0));
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
    if (!place) return reading.show(reading.pinned, { pinned: true });
    reading.clear();
    reading.openSources(!matchMedia("(min-width: 75rem)").matches);
    return reading.status.prompt("Choose the sentence of another source that says otherwise, or select its words.");
  }

  // Handle a click on a sentence; return whether it was for the second place.
  pick(place) {
    if (!this.first || !place) return false;
    const [first, second] = [this.first, { ...place, ...(this.selected() || {}) }];
    if (first.account === second.account) {
      this.reading.status.prompt("Choose a sentence of another source.");
      return true;
    }
    this.begin(null);
    this.askForWords(first, second);
    return true;
  }

  async askForWords(...places) {
    const words = places.map((place) => this.words(place));
    const guesses = words.map((list, at) => guess(list, words[1 - at]));
    const sides = places.map((place, at) => new Side(this.reading, place, words[at], guesses[at]));
    const chosen = await ask({
      title: "These disagree",
      body: [h("p", { class: "faint" }, "Choose the words on either side that cannot both be true. The text then says both, and you can settle it."), sides.map(({ node }) => node)],
      actions: [["These disagree", () => ({ kind: "differ", places: sides.map((side) => side.value) }), true, () => sides.every((side) => side.value)], ["Cancel", null]],
      wide: true,
    });
    if (chosen) await this.project.decide(chosen, "Marked. Settle it above the text.");
  }

  // The words of a source sentence with their offsets.
  words({ account, number }) {
    const [start, end] = this.reading.view.documents[account].sentences[number];
    const text = this.reading.sourcePane.textOf(account, start, end);
    return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
      const from = start + [...text.slice(0, index)].length;
      return { text: word, start: from, end: from + [...word].length };
    });
  }
}

// One of the two sentences; the words from the first pressed one to the last are chosen.
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
      pieces.push(reading.sourcePane.textOf(account, done, word.start), this.buttons[at]);
      done = word.end;
    });
    pieces.push(reading.sourcePane.textOf(account, done, to));
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

// The index of the first figure, or else name, that the other sentence lacks; or -1.
function guess(words, others) {
  const known = new Set(others.map(({ text }) => text.toLowerCase()));
  const find = (condition) => words.findIndex(({ text }, at) => !known.has(text.toLowerCase()) && condition(text, at));
  const figure = find((text) => NUMBER.test(text));
  return figure >= 0 ? figure : find((text, at) => at > 0 && /^\p{Lu}/u.test(text));
}
