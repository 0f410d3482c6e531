// The view of the text: words, source pane, notes, and the status line at the foot.

import { ask, button, fill, h, keepFocus } from "../core/dom.js";
import { SourcePane } from "./sourcepane.js";
import { ConflictMarker } from "./marking.js";
import { StatusLine } from "./status.js";
import { NewSentences } from "./newsentences.js";
import { Notes } from "./notes.js";
import { Sentences } from "./sentences.js";
import { Text } from "./text.js";
import { count, modelsShare, sentence } from "./wording.js";

const HOVER_DELAY = 140; // Milliseconds that the pointer rests on a word before sources scroll.
const LENGTH_DELAY = 700; // Milliseconds without a move of the slider before the length is set.
const FLASH_DURATION = 2400; // Milliseconds for which a new sentence is highlighted.
const MOST_CONFLICTS = 6; // Conflicts that are listed above the text.
const KEYS = [
  ["← →", "word by word"],
  ["↑ ↓", "sentence by sentence"],
  ["Enter", "on a number: the actions of the sentence; on a word: keep its sources highlighted; on the badge after your own words: the evidence"],
  ["Alt ↑ ↓", "move the sentence"],
  ["E", "edit it"],
  ["W", "other wordings"],
  ["Delete", "drop it"],
  ["T", "in the list of sentences left out: add it to the text"],
  ["Ctrl Z", "undo"],
  ["Ctrl Shift Z", "redo"],
  ["Esc", "clear the selection"],
];

export class Reading {
  constructor(project) {
    this.project = project;
    this.pinned = null;
    this.pointed = []; // The item under the pointer, and how to show it again after a redraw.
    const actions = {
      show: (selection, options = {}) => {
        this.pointed = selection && !options.keyboard ? [selection, options] : [];
        this.show(selection, options);
      },
      toggle: (selection) => this.toggle(selection),
    };
    this.sentences = new Sentences(project, this);
    this.text = new Text({
      ...actions,
      menu: (id, anchor) => this.sentences.menu(id, anchor),
      keys: (event, id) => this.sentences.key(event, id),
      explain: (id) => this.sentences.explain(id),
      move: (id, at) => this.sentences.place(id, at),
      moveAfter: (id) => this.moveAfter(id),
    });
    this.marker = new ConflictMarker(project, this);
    this.sourcePane = new SourcePane({ ...actions, pick: (place) => this.marker.pick(place), menu: (place, anchor) => this.sentences.sourceMenu(place, anchor) });
    this.notes = new Notes(project, this);
    this.newSentences = new NewSentences(project, this);
    this.node = h("section", { class: "view", "aria-labelledby": "read-title" });
    this.build();
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.node.hidden || document.querySelector("dialog[open]")) return;
      if (this.marker.first) this.marker.begin(null);
      else if (this.moving) this.move(null);
      else this.clear();
    });
  }

  build() {
    const { project } = this;
    this.undo = button("Undo", () => project.undo(), { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", () => project.redo(), { "aria-keyshortcuts": "Control+Shift+Z" });
    this.slider = h("input", { type: "range", id: "length", step: 10 });
    this.length = h("output", { for: "length", class: "count" });
    this.slider.addEventListener("input", () => this.drawLength(Number(this.slider.value)));
    this.slider.addEventListener("change", () => {
      clearTimeout(this.settling);
      this.settling = setTimeout(() => this.setLength(), LENGTH_DELAY);
    });
    this.stale = h("div", { class: "stale", role: "status", hidden: true });
    this.headline = h("h2", { id: "read-title", tabindex: -1, dir: "auto" });
    this.tally = h("p", { class: "tally" });
    this.conflictList = h("div", { class: "conflict-list", role: "group", "aria-label": "Disagreements", hidden: true });
    this.status = new StatusLine(this);
    this.sourcesButton = button("Sources", () => this.openSources(!document.documentElement.classList.contains("open")), { id: "sources-button", "aria-expanded": "false", "aria-controls": "accounts" });
    this.release = button("Clear", () => this.clear(), { id: "clear", hidden: true });
    this.settle = button("Settle …", () => this.sentences.settle(this.pinned.id), { hidden: true, "aria-haspopup": "dialog" });
    this.change = button("Change", () => this.sentences.menu(this.pinned.sentence, this.change), { hidden: true, "aria-haspopup": "menu" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": "Tools" }, this.change, this.settle, this.marker.start, this.release, this.undo, this.redo, this.sourcesButton);
    const step = (by) => this.sentences.step(this.moving, by);
    this.steps = h("div", { class: "tools", role: "group", "aria-label": "Move the sentence", hidden: true }, button("↑ Up", () => step(-1)), button("↓ Down", () => step(1)), button("Top", () => this.sentences.place(this.moving, 0)), button("Done", () => this.move(null), { class: "primary" }));
    this.empty = h("div", { class: "nothing-yet" }, h("p", {}, "There is no text yet. Add the sources of one story and consolidate them."), h("p", {}, h("a", { class: "button primary", href: "#put-in" }, "To the sources")));
    // Always visible, beside the menu of downloads.
    this.bar = h(
      "div",
      { class: "tools-bar" },
      h("div", { class: "length" }, h("label", { for: "length" }, "Length"), this.slider, this.length),
      button("Help", () => help(), { class: "plain", "aria-haspopup": "dialog" }),
    );
    this.content = h(
      "div",
      {},
      this.stale,
      this.newSentences.node,
      h(
        "div",
        { class: "spread" },
        h(
          "div",
          { class: "leaf" },
          h("div", { class: "headline" }, this.headline, button("✎", () => this.sentences.headline(), { class: "plain", "aria-label": "Change the headline" })),
          this.tally,
          this.conflictList,
          h("p", { id: "text-hint", class: "unseen" }, "Arrow keys move through the words; the line at the foot says where each comes from. Enter on a sentence's number opens its menu."),
          this.text.node,
        ),
        this.notes.node,
        h("section", { id: "accounts", "aria-labelledby": "beside-title" }, h("h2", { id: "beside-title", class: "unseen" }, "The sources"), this.sourcePane.strip),
      ),
      h("div", { id: "apparatus" }, this.status.node, this.tools, this.steps, this.marker.tools),
    );
    fill(this.node, this.content, this.empty);
  }

  // Drawing

  draw() {
    const { consolidation } = this.project;
    this.content.hidden = !consolidation;
    this.empty.hidden = Boolean(consolidation);
    this.bar.hidden = !consolidation || this.node.hidden;
    this.headline.id = consolidation ? "read-title" : "";
    this.drawState();
    if (!consolidation) return;
    this.view = buildView(consolidation);
    fill(this.headline, consolidation.title || "Without a headline");
    const sourceWords = consolidation.documents.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
    const credit = modelsShare(consolidation);
    fill(this.tally, `${count(consolidation.words, "word")} in ${count(consolidation.sentences.length, "sentence")}, consolidated from ${count(sourceWords, "word")} of ${count(consolidation.documents.length, "source")}.${credit}`);
    keepFocus(this.conflictList, () => this.drawConflicts(consolidation.disputes));
    this.undo.disabled = !consolidation.can_undo;
    this.redo.disabled = !consolidation.can_redo;
    const { value, least, most } = consolidation.length;
    Object.assign(this.slider, { min: least, max: most });
    this.slider.value = value ?? most;
    this.drawLength(value ?? most, consolidation.words);
    this.drawText(consolidation.sentences);
    clearTimeout(this.revealTimer);
    cancelAnimationFrame(this.drawRequest);
    if (!this.sourcePane.drawn) this.drawNotesAndSources(consolidation);
    else this.drawRequest = requestAnimationFrame(() => setTimeout(() => this.drawNotesAndSources(consolidation)));
  }

  // `sentences` may be a prediction of what the server will answer.
  drawText(sentences) {
    this.view.sentences = new Map(sentences.map((sentence) => [sentence.id, sentence]));
    this.view.notes = noteNumbers(sentences, this.view);
    this.highlighted = null;
    this.text.draw(sentences, this.view.notes);
    this.newSentences.draw(sentences);
    if (this.moving) this.move(this.moving);
  }

  // Notes and sources are drawn after the text has been painted.
  drawNotesAndSources(consolidation) {
    if (consolidation !== this.project.consolidation) return;
    this.notes.draw(consolidation, this.view);
    this.sourcePane.draw(consolidation.documents, this.view, () => {
      this.highlighted = null;
      if (this.pinned && !this.exists(this.pinned)) this.pinned = null;
      if (this.pointed.length && !this.exists(this.pointed[0])) this.pointed = [];
      if (this.pinned) this.show(this.pinned);
      else this.show(...this.pointed);
    });
  }

  // List the conflicts above the text, each with a link to its place.
  drawConflicts(conflicts) {
    this.conflictList.hidden = !conflicts.length;
    const open = conflicts.filter(({ settled }) => !settled).length;
    const title = open < conflicts.length ? `${count(conflicts.length, "disagreement")}, ${open || "none"} open:` : `${count(open, "disagreement")}:`;
    const rows = conflicts.slice(0, MOST_CONFLICTS).map(({ id, values, settled, sentences, relation }) => {
      const go = () => (sentences.length ? this.toggle({ type: "conflict", id }) : this.notes.focusOn(id, true));
      return button([settled ? h("span", { class: "good", "aria-label": "settled" }, "✓ ") : "", values.join(relation === "superseded" ? ", then " : " or ")], go, { class: "plain", dir: "auto" });
    });
    const hidden = conflicts.length - MOST_CONFLICTS;
    const more = hidden > 0 ? button(`and ${hidden} more`, () => this.notes.focusOn(conflicts[MOST_CONFLICTS].id, true), { class: "plain" }) : "";
    fill(this.conflictList, h("span", {}, title), rows, more);
  }

  drawState() {
    const { consolidation } = this.project;
    const line = this.project.running ? "" : consolidation?.stale;
    this.stale.hidden = !line;
    if (line) fill(this.stale, h("p", {}, sentence(line)), button("Consolidate again", () => this.project.consolidate(), { class: "primary" }));
    else fill(this.stale);
  }

  drawLength(value, words) {
    const isFull = value >= Number(this.slider.max);
    fill(this.length, words !== undefined ? count(words, "word") : isFull ? "all" : `about ${count(value, "word")}`);
    this.slider.setAttribute("aria-valuetext", isFull ? "everything" : `about ${count(value, "word")}`);
  }

  async setLength() {
    const value = Number(this.slider.value);
    const words = value >= Number(this.slider.max) ? null : value;
    if (await this.project.decide({ kind: "length", words }, "")) await this.project.consolidate();
  }

  setVisible(visible) {
    this.bar.hidden = !visible || !this.project.consolidation;
    if (!visible) this.openSources(false);
    else this.openSources(matchMedia("(min-width: 40rem) and (max-width: 74.99rem) and (min-height: 44rem)").matches);
  }

  openSources(open) {
    document.documentElement.classList.toggle("open", open);
    this.sourcesButton.setAttribute("aria-expanded", String(open));
    fill(this.sourcesButton, open ? "Close" : "Sources");
  }

  // Start to move a sentence by buttons or by choosing the one before it; null ends it.

  move(id) {
    const before = this.moving;
    this.text.built.get(before)?.node.classList.remove("moving");
    this.text.built.get(id)?.node.classList.add("moving");
    this.moving = this.text.built.has(id) ? id : null;
    this.tools.hidden = Boolean(this.moving);
    this.steps.hidden = !this.moving;
    if (this.moving && !before) {
      this.openSources(false);
      this.status.prompt("Choose the sentence that this one is to follow, or move it step by step.");
    } else if (before && !this.moving) {
      this.text.focusOn(before);
      this.show(this.pinned);
    }
  }

  // Move the moving sentence after another one; false if none is moving.
  moveAfter(id) {
    if (!this.moving || !id) return false;
    const { moving } = this;
    const others = [...this.text.built.keys()].filter((other) => other !== moving);
    this.move(null);
    if (id !== moving) this.sentences.place(moving, others.indexOf(id) + 1);
    return true;
  }

  // Highlight a sentence for a while.
  flash(id) {
    const node = this.text.built.get(id)?.node;
    node?.classList.add("fresh");
    setTimeout(() => node?.classList.remove("fresh"), FLASH_DURATION);
    node?.scrollIntoView({ block: "nearest" });
  }

  // The selection: a word, a source sentence, or a conflict

  exists(selection) {
    if (selection.type === "word") return this.text.wordNode(selection.sentence, selection.place);
    if (selection.type === "conflict") return this.view.conflicts.has(selection.id);
    return this.view.documents[selection.account]?.sentences[selection.number];
  }

  toggle(selection) {
    const isSame = JSON.stringify(selection) === JSON.stringify(this.pinned);
    if (!selection || isSame) return this.clear();
    this.pinned = selection;
    this.show(selection, { pinned: true });
    const inText = selection.type === "conflict" && selection.claim === undefined;
    if (matchMedia("(min-width: 75rem)").matches || selection.type === "source" || inText) return;
    this.openSources(true);
    this.exists(selection)?.scrollIntoView?.({ block: "nearest" });
    this.sourcePane.reveal();
  }

  clear() {
    this.pinned = null;
    this.pointed = [];
    this.show(null);
  }

  show(selection = null, { rest = false, pinned = false, keyboard = false } = {}) {
    if (this.pinned && keyboard) this.pinned = null;
    if (this.pinned && !pinned && JSON.stringify(selection) !== JSON.stringify(this.pinned)) return;
    clearTimeout(this.revealTimer);
    this.release.hidden = !this.pinned;
    this.change.hidden = this.pinned?.type !== "word";
    this.settle.hidden = this.pinned?.type !== "conflict";
    const changed = this.highlight(selection);
    this.status.show(selection, keyboard || pinned);
    if (!selection) return;
    if (rest) this.revealTimer = setTimeout(() => this.sourcePane.reveal(), HOVER_DELAY);
    else if (selection.type !== "source") this.sourcePane.reveal();
    if (selection.type !== "word" && (pinned || (keyboard && changed))) this.highlighted.first?.scrollIntoView({ block: "nearest" });
  }

  // Highlight the selection and its sources; return false if it is highlighted already.
  highlight(selection) {
    const key = JSON.stringify(selection);
    if (this.highlighted?.key === key) return false;
    const { words, places, sources, sentences = [] } = selection ? this.related(selection) : { words: [], places: [], sources: [] };
    for (const node of this.text.node.querySelectorAll(".lit, .joined")) node.classList.remove("lit", "joined");
    highlightWords(words);
    const wholeSentences = sentences.map((id) => this.text.built.get(id)?.node).filter(Boolean);
    for (const node of wholeSentences) node.classList.add("lit");
    this.sourcePane.highlight(places, sources);
    this.highlighted = { key, first: words[0] || wholeSentences[0] };
    return true;
  }

  // Words and sentences of the text, and places and sentences of sources, to highlight.
  related(selection) {
    if (selection.type === "word") {
      const token = this.view.sentences.get(selection.sentence).tokens[selection.place];
      return { words: [this.exists(selection)], places: token.sources.map(toPlace), sources: [] };
    }
    if (selection.type === "source") {
      const { account, number } = selection;
      const [start, end] = this.view.documents[account].sentences[number];
      const within = ([document, from, to]) => document === account && from < end && start < to;
      const matches = this.text.wordNodes(({ sources }) => sources.some(within));
      const outcome = this.view.outcomes[account]?.[number];
      return {
        words: matches.map(([node]) => node),
        places: matches.flatMap(([, { sources: all }]) => all.filter(within).map(toPlace)),
        sources: [{ account, number }],
        sentences: outcome?.fate === "redundant" ? outcome.into : [],
      };
    }
    const { claims, sentences } = this.view.conflicts.get(selection.id);
    const chosen = selection.claim === undefined ? claims : [claims[selection.claim]];
    const words = this.text.wordNodes((_, { id }) => sentences.includes(id)).map(([node]) => node).filter((node) => node.matches(".disputed"));
    return {
      words,
      sentences: words.length ? [] : sentences,
      places: chosen.map(({ document, start, end }) => ({ account: this.view.index.get(document), start, end })),
      sources: [],
    };
  }
}

// Indexes of a consolidated text.
function buildView(consolidation) {
  const index = new Map(consolidation.documents.map(({ id }, place) => [id, place]));
  const numbers = new Map(consolidation.sentences.map(({ id }, place) => [id, place + 1]));
  const used = consolidation.sentences.flatMap(({ tokens }) => tokens.flatMap(({ sources }) => sources.map(toPlace)));
  return {
    index, // Of a source by its id.
    numbers, // Of the sentences of the text, from 1, by id.
    used, // Places in sources that the words of the text come from.
    documents: consolidation.documents,
    outcomes: consolidation.documents.map(({ id }) => consolidation.fates[id] || []),
    conflicts: new Map(consolidation.disputes.map((conflict) => [conflict.id, conflict])),
  };
}

// Numbers of the notes on words in conflict, by sentence and place of the word.
function noteNumbers(sentences, { conflicts, index }) {
  const numbers = new Map([...conflicts.keys()].map((id, place) => [id, place + 1]));
  return new Map(sentences.filter(({ disputes }) => disputes.length).map((sentence) => {
    const marks = {};
    for (const id of sentence.disputes) {
      const claims = conflicts.get(id)?.claims || [];
      const isClaimed = ([document, start, end]) =>
        claims.some((claim) => index.get(claim.document) === document && start < claim.end && claim.start < end);
      sentence.tokens.forEach(({ sources }, place) => {
        if (sources.some(isClaimed)) marks[place] ??= numbers.get(id);
      });
    }
    return [sentence.id, marks];
  }));
}

function toPlace([account, start, end]) {
  return { account, start, end };
}

// Adjacent highlighted words look like one phrase.
function highlightWords(words) {
  const adjacent = words.filter((node, at) => {
    const gap = node.previousSibling;
    const beside = at && gap?.nodeType === Node.TEXT_NODE && gap.previousSibling === words[at - 1];
    return beside && /^\s+$/.test(gap.data) && words[at - 1].offsetTop === node.offsetTop;
  });
  for (const node of words) node.classList.add("lit"); // After the loop above, which makes the browser measure.
  for (const node of adjacent) node.classList.add("joined");
}

function help() {
  const keys = KEYS.map(([keys, text]) => [h("dt", {}, keys.split(" ").flatMap((key) => [h("kbd", {}, key), " "])), h("dd", {}, text)]);
  return ask({
    title: "How to read and change the text",
    body: [
      h("p", {}, "Every word of the text leads to its places in the sources: point at it, tap it, or move to it with the keys. The number before a sentence opens its menu; drag it to move the sentence. In the sources, the word after each sentence names its outcome and opens a menu. Conflicts are named above the text and listed under it for settling, with the sentences left out and your decisions."),
      h("dl", { class: "keys" }, keys),
    ],
    actions: [["Close", null, true]],
    wide: true,
  });
}
