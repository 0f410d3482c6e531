// Reading and changing the text: the words, the sources beside them, the notes, the line at the
// foot that says where a word comes from.

import { ask, button, fill, h, inPlace } from "../core/dom.js";
import { Beside } from "./beside.js";
import { Differ } from "./differ.js";
import { Foot } from "./foot.js";
import { News } from "./news.js";
import { Notes } from "./notes.js";
import { Sentences } from "./sentences.js";
import { Text } from "./text.js";
import { count, modelsShare, sentence } from "./wording.js";

const REST = 140; // Milliseconds that the pointer rests before accounts scroll.
const SETTLED = 700; // Milliseconds after the last step of the slider.
const FRESH = 2400; // Milliseconds for which something new is marked: painted twice, not in every frame.
const POINTS = 6; // Disagreements that are named above the text.
const KEYS = [
  ["← →", "word by word"],
  ["↑ ↓", "sentence by sentence"],
  ["Enter", "on a number: what can be done with the sentence; on a word: hold its sources; on the sign behind your own words: what the sources say of them"],
  ["Alt ↑ ↓", "move the sentence"],
  ["E", "edit it"],
  ["W", "other wordings"],
  ["Delete", "drop it"],
  ["T", "in the list of what is left out: add it to the text"],
  ["Ctrl Z", "undo"],
  ["Ctrl Shift Z", "redo"],
  ["Esc", "let go"],
];

export class Reading {
  constructor(project) {
    this.project = project;
    this.held = null;
    const doings = {
      show: (selection, options) => this.show(selection, options),
      toggle: (selection) => this.toggle(selection),
    };
    this.sentences = new Sentences(project, this);
    this.text = new Text({
      ...doings,
      menu: (id, anchor) => this.sentences.menu(id, anchor),
      keys: (event, id) => this.sentences.key(event, id),
      explain: (id) => this.sentences.explain(id),
      move: (id, at) => this.sentences.place(id, at),
      dropped: (id) => this.dropped(id),
    });
    this.differ = new Differ(project, this);
    this.beside = new Beside({ ...doings, pick: (place) => this.differ.pick(place), menu: (place, anchor) => this.sentences.sourceMenu(place, anchor) });
    this.notes = new Notes(project, this);
    this.news = new News(project, this);
    this.node = h("section", { class: "room", "aria-labelledby": "read-title" });
    this.frame();
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.node.hidden || document.querySelector("dialog[open]")) return;
      if (this.differ.first) this.differ.begin(null);
      else if (this.carried) this.carry(null);
      else this.clear();
    });
  }

  frame() {
    const { project } = this;
    this.undo = button("Undo", () => project.undo(), { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", () => project.redo(), { "aria-keyshortcuts": "Control+Shift+Z" });
    this.slider = h("input", { type: "range", id: "length", step: 10 });
    this.length = h("output", { for: "length", class: "count" });
    this.slider.addEventListener("input", () => this.drawLength(Number(this.slider.value)));
    this.slider.addEventListener("change", () => {
      clearTimeout(this.settling);
      this.settling = setTimeout(() => this.setLength(), SETTLED);
    });
    this.stale = h("div", { class: "stale", role: "status", hidden: true });
    this.headline = h("h2", { id: "read-title", tabindex: -1, dir: "auto" });
    this.tally = h("p", { class: "tally" });
    this.points = h("div", { class: "points", role: "group", "aria-label": "Disagreements", hidden: true });
    this.foot = new Foot(this);
    this.sheet = button("Sources", () => this.openSheet(!document.documentElement.classList.contains("open")), { id: "sheet", "aria-expanded": "false", "aria-controls": "accounts" });
    this.release = button("Clear", () => this.clear(), { id: "clear", hidden: true });
    this.settle = button("Settle …", () => this.sentences.settle(this.held.id), { hidden: true, "aria-haspopup": "dialog" });
    this.change = button("Change", () => this.sentences.menu(this.held.sentence, this.change), { hidden: true, "aria-haspopup": "menu" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": "Tools" }, this.change, this.settle, this.differ.start, this.release, this.undo, this.redo, this.sheet);
    const step = (by) => this.sentences.step(this.carried, by);
    this.steps = h("div", { class: "tools", role: "group", "aria-label": "Move the sentence", hidden: true }, button("↑ Up", () => step(-1)), button("↓ Down", () => step(1)), button("Top", () => this.sentences.place(this.carried, 0)), button("Done", () => this.carry(null), { class: "primary" }));
    this.empty = h("div", { class: "nothing-yet" }, h("p", {}, "There is no text yet. Add the sources of one story and consolidate them."), h("p", {}, h("a", { class: "button primary", href: "#put-in" }, "To the sources")));
    // Beside what is downloaded, in view wherever the page is scrolled to.
    this.bar = h(
      "div",
      { class: "tools-bar" },
      h("div", { class: "length" }, h("label", { for: "length" }, "Length"), this.slider, this.length),
      button("Help", () => help(), { class: "plain", "aria-haspopup": "dialog" }),
    );
    this.full = h(
      "div",
      {},
      this.stale,
      this.news.node,
      h(
        "div",
        { class: "spread" },
        h(
          "div",
          { class: "leaf" },
          h("div", { class: "headline" }, this.headline, button("✎", () => this.sentences.headline(), { class: "plain", "aria-label": "Change the headline" })),
          this.tally,
          this.points,
          h("p", { id: "text-hint", class: "unseen" }, "Arrow keys move through the words; the line at the foot says where each comes from. Enter on a sentence's number opens what can be done with it."),
          this.text.node,
        ),
        this.notes.node,
        h("section", { id: "accounts", "aria-labelledby": "beside-title" }, h("h2", { id: "beside-title", class: "unseen" }, "The sources"), this.beside.strip),
      ),
      h("div", { id: "apparatus" }, this.foot.node, this.tools, this.steps, this.differ.tools),
    );
    fill(this.node, this.full, this.empty);
  }

  // Drawing

  draw() {
    const { woven } = this.project.state;
    this.full.hidden = !woven;
    this.empty.hidden = Boolean(woven);
    this.bar.hidden = !woven || this.node.hidden;
    this.headline.id = woven ? "read-title" : "";
    this.drawState();
    if (!woven) return;
    this.view = prepared(woven);
    fill(this.headline, woven.title || "Without a headline");
    const read = woven.documents.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
    const by = modelsShare(woven);
    fill(this.tally, `${count(woven.words, "word")} in ${count(woven.sentences.length, "sentence")}, consolidated from ${count(read, "word")} of ${count(woven.documents.length, "source")}.${by}`);
    inPlace(this.points, () => this.drawPoints(woven.disputes));
    this.undo.disabled = !woven.can_undo;
    this.redo.disabled = !woven.can_redo;
    const { value, least, most } = woven.length;
    Object.assign(this.slider, { min: least, max: most });
    this.slider.value = value ?? most;
    this.drawLength(value ?? most, woven.words);
    this.drawText(woven.sentences);
    clearTimeout(this.resting);
    cancelAnimationFrame(this.later);
    if (!this.beside.drawn) this.drawRest(woven);
    else this.later = requestAnimationFrame(() => setTimeout(() => this.drawRest(woven)));
  }

  // What is shown may be ahead of the server.
  drawText(sentences) {
    this.view.sentences = new Map(sentences.map((sentence) => [sentence.id, sentence]));
    this.view.notes = noted(sentences, this.view);
    this.lit = null;
    this.text.draw(sentences, this.view.notes);
    this.news.draw(sentences);
    if (this.carried) this.carry(this.carried);
  }

  // What stands around the text is drawn after it has been painted.
  drawRest(woven) {
    if (woven !== this.project.state.woven) return;
    this.notes.draw(woven, this.view);
    this.beside.draw(woven.documents, this.view, () => {
      this.lit = null;
      this.show(this.held && this.exists(this.held) ? this.held : (this.held = null));
    });
  }

  // Above the text: the conflicts, each with a link to its place.
  drawPoints(disputes) {
    this.points.hidden = !disputes.length;
    const open = disputes.filter(({ settled }) => !settled).length;
    const title = open < disputes.length ? `${count(disputes.length, "disagreement")}, ${open || "none"} open:` : `${count(open, "disagreement")}:`;
    const rows = disputes.slice(0, POINTS).map(({ id, values, settled, sentences, relation }) => {
      const go = () => (sentences.length ? this.toggle({ type: "dispute", id }) : this.notes.focusOn(id, true));
      return button([settled ? h("span", { class: "good", "aria-label": "settled" }, "✓ ") : "", values.join(relation === "superseded" ? ", then " : " or ")], go, { class: "plain", dir: "auto" });
    });
    const rest = disputes.length - POINTS;
    const more = rest > 0 ? button(`and ${rest} more`, () => this.notes.focusOn(disputes[POINTS].id, true), { class: "plain" }) : "";
    fill(this.points, h("span", {}, title), rows, more);
  }

  drawState() {
    const { woven } = this.project.state;
    const line = this.project.running ? "" : woven?.stale;
    this.stale.hidden = !line;
    if (line) fill(this.stale, h("p", {}, sentence(line)), button("Consolidate again", () => this.project.weave(), { class: "primary" }));
    else fill(this.stale);
  }

  drawLength(value, words) {
    const full = value >= Number(this.slider.max);
    fill(this.length, words !== undefined ? count(words, "word") : full ? "all" : `about ${count(value, "word")}`);
    this.slider.setAttribute("aria-valuetext", full ? "everything" : `about ${count(value, "word")}`);
  }

  async setLength() {
    const value = Number(this.slider.value);
    const words = value >= Number(this.slider.max) ? null : value;
    if (await this.project.decide({ kind: "length", words }, "")) await this.project.weave();
  }

  shown(visible) {
    this.bar.hidden = !visible || !this.project.state.woven;
    if (!visible) this.openSheet(false);
    else this.openSheet(matchMedia("(min-width: 40rem) and (max-width: 74.99rem) and (min-height: 44rem)").matches);
  }

  openSheet(open) {
    document.documentElement.classList.toggle("open", open);
    this.sheet.setAttribute("aria-expanded", String(open));
    fill(this.sheet, open ? "Close" : "Sources");
  }

  // Moving a sentence without dragging it: step by step, or behind the one that is chosen.

  carry(id) {
    const before = this.carried;
    this.text.built.get(before)?.node.classList.remove("carried");
    this.text.built.get(id)?.node.classList.add("carried");
    this.carried = this.text.built.has(id) ? id : null;
    this.tools.hidden = Boolean(this.carried);
    this.steps.hidden = !this.carried;
    if (this.carried && !before) {
      this.openSheet(false);
      this.foot.invite("Choose the sentence that this one is to follow, or move it step by step.");
    } else if (before && !this.carried) {
      this.text.focusOn(before);
      this.show(this.held);
    }
  }

  dropped(id) {
    if (!this.carried || !id) return false;
    const { carried } = this;
    const rest = [...this.text.built.keys()].filter((one) => one !== carried);
    this.carry(null);
    if (id !== carried) this.sentences.place(carried, rest.indexOf(id) + 1);
    return true;
  }

  // Shows where something has come in.
  flash(id) {
    const node = this.text.built.get(id)?.node;
    node?.classList.add("fresh");
    setTimeout(() => node?.classList.remove("fresh"), FRESH);
    node?.scrollIntoView({ block: "nearest" });
  }

  // The selection: a word, a source sentence, or a conflict

  exists(selection) {
    if (selection.type === "word") return this.text.wordNode(selection.sentence, selection.place);
    if (selection.type === "dispute") return this.view.disputes.has(selection.id);
    return this.view.documents[selection.account]?.sentences[selection.number];
  }

  toggle(selection) {
    const same = JSON.stringify(selection) === JSON.stringify(this.held);
    if (!selection || same) return this.clear();
    this.held = selection;
    this.show(selection, { held: true });
    const inText = selection.type === "dispute" && selection.claim === undefined;
    if (matchMedia("(min-width: 75rem)").matches || selection.type === "source" || inText) return;
    this.openSheet(true);
    this.exists(selection)?.scrollIntoView?.({ block: "nearest" });
    this.beside.reveal();
  }

  clear() {
    this.held = null;
    this.show(null);
  }

  show(selection, { rest = false, held = false, keyboard = false } = {}) {
    if (this.held && keyboard) this.held = null;
    if (this.held && !held && JSON.stringify(selection) !== JSON.stringify(this.held)) return;
    clearTimeout(this.resting);
    this.release.hidden = !this.held;
    this.change.hidden = this.held?.type !== "word";
    this.settle.hidden = this.held?.type !== "dispute";
    const fresh = this.light(selection);
    this.foot.show(selection, keyboard || held);
    if (!selection) return;
    if (rest) this.resting = setTimeout(() => this.beside.reveal(), REST);
    else if (selection.type !== "source") this.beside.reveal();
    if (selection.type !== "word" && (held || (keyboard && fresh))) this.lit.first?.scrollIntoView({ block: "nearest" });
  }

  // What is lit already stays so: the focus comes back to it from every menu.
  light(selection) {
    const key = JSON.stringify(selection);
    if (this.lit?.key === key) return false;
    const { words, places, sources, sentences = [] } = selection ? this.picture(selection) : { words: [], places: [], sources: [] };
    for (const node of this.text.node.querySelectorAll(".lit, .joined")) node.classList.remove("lit", "joined");
    lightWords(words);
    const whole = sentences.map((id) => this.text.built.get(id)?.node).filter(Boolean);
    for (const node of whole) node.classList.add("lit");
    this.beside.light(places, sources);
    this.lit = { key, first: words[0] || whole[0] };
    return true;
  }

  picture(selection) {
    if (selection.type === "word") {
      const token = this.view.sentences.get(selection.sentence).tokens[selection.place];
      return { words: [this.exists(selection)], places: token.sources.map(placed), sources: [] };
    }
    if (selection.type === "source") {
      const { account, number } = selection;
      const [start, end] = this.view.documents[account].sentences[number];
      const within = ([document, from, to]) => document === account && from < end && start < to;
      const found = this.text.wordNodes(({ sources }) => sources.some(within));
      const fate = this.view.fates[account]?.[number];
      return {
        words: found.map(([node]) => node),
        places: found.flatMap(([, { sources: all }]) => all.filter(within).map(placed)),
        sources: [{ account, number }],
        sentences: fate?.fate === "redundant" ? fate.into : [],
      };
    }
    const { claims, sentences } = this.view.disputes.get(selection.id);
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

// A consolidated text with the tables to look things up in it.
function prepared(woven) {
  const index = new Map(woven.documents.map(({ id }, place) => [id, place]));
  const numbers = new Map(woven.sentences.map(({ id }, place) => [id, place + 1]));
  const used = woven.sentences.flatMap(({ tokens }) => tokens.flatMap(({ sources }) => sources.map(placed)));
  return {
    index,
    numbers,
    used,
    documents: woven.documents,
    fates: woven.documents.map(({ id }) => woven.fates[id] || []),
    disputes: new Map(woven.disputes.map((dispute) => [dispute.id, dispute])),
  };
}

// Numbers of the notes on words in conflict, by sentence and place of the word.
function noted(sentences, { disputes, index }) {
  const numbers = new Map([...disputes.keys()].map((id, place) => [id, place + 1]));
  return new Map(sentences.filter((one) => one.disputes.length).map((sentence) => {
    const marks = {};
    for (const id of sentence.disputes) {
      const claims = disputes.get(id)?.claims || [];
      const claimed = ([document, start, end]) =>
        claims.some((claim) => index.get(claim.document) === document && start < claim.end && claim.start < end);
      sentence.tokens.forEach(({ sources }, place) => {
        if (sources.some(claimed)) marks[place] ??= numbers.get(id);
      });
    }
    return [sentence.id, marks];
  }));
}

function placed([account, start, end]) {
  return { account, start, end };
}

// Neighbours that are both lit look like one phrase.
function lightWords(words) {
  const near = words.filter((node, at) => {
    const gap = node.previousSibling;
    const beside = at && gap?.nodeType === Node.TEXT_NODE && gap.previousSibling === words[at - 1];
    return beside && /^\s+$/.test(gap.data) && words[at - 1].offsetTop === node.offsetTop;
  });
  for (const node of words) node.classList.add("lit"); // After all is measured.
  for (const node of near) node.classList.add("joined");
}

function help() {
  const keys = KEYS.map(([keys, text]) => [h("dt", {}, keys.split(" ").flatMap((key) => [h("kbd", {}, key), " "])), h("dd", {}, text)]);
  return ask({
    title: "How to read and change the text",
    body: [
      h("p", {}, "Every word of the text leads to its places in the sources: point at it, tap it, or move to it with the keys. The number before a sentence opens what can be done with it; drag it to move the sentence. In the sources, the small word after each sentence says what became of it, and opens a menu. Conflicts are named above the text and listed under it, to be settled; under it are also what is left out and what you have done."),
      h("dl", { class: "keys" }, keys),
    ],
    actions: [["Close", null, true]],
    wide: true,
  });
}
