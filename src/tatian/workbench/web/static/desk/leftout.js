// List of sentences left out of the text, the least covered first, with the sentences that cover them.

import { button, fill, h, keepFocus } from "../core/dom.js";
import { colour, count, mark, sentence } from "./wording.js";

const STEP = 40; // Sentences that are shown at first, and with each further step.

export class LeftOut {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.shown = STEP;
    this.rows = [];
    this.node = h("details", { id: "left-out" }, h("summary", {}), h("div", {}));
    this.node.addEventListener("toggle", () => this.fetch());
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }

  draw(view) {
    this.view = view;
    const outcomes = view.outcomes.flat().map(({ fate }) => fate);
    const redundant = outcomes.filter((outcome) => outcome === "redundant").length;
    const out = redundant + outcomes.filter((outcome) => outcome === "unused").length;
    this.node.hidden = !out;
    const covered = redundant ? `, ${redundant.toLocaleString("en")} of them covered by others` : "";
    fill(this.node.firstChild, `Left out: ${count(out, "sentence")}${covered}`);
    this.fetch();
  }

  // Load the list if it is open; ignore an answer about an older text.
  async fetch() {
    const { project } = this;
    const { revision } = project.consolidation;
    if (!this.node.open || this.revision === revision) return;
    try {
      const loaded = await project.server.leftOut(project.id);
      if (loaded.revision < project.consolidation.revision) return;
      this.revision = loaded.revision;
      this.rows = loaded.sentences;
      keepFocus(this.node, () => this.drawRows());
    } catch (error) {
      fill(this.node.lastChild, h("p", { class: "faint" }, sentence(error.message), " ", button("Try again", () => this.fetch(), { class: "plain" })));
    }
  }

  drawRows() {
    const hidden = this.rows.length - this.shown;
    const more = () => {
      this.shown += STEP;
      keepFocus(this.node, () => this.drawRows());
    };
    fill(
      this.node.lastChild,
      h("p", { class: "faint" }, "The least covered first. Words that the text does not have there are marked. ", h("kbd", {}, "↑"), " ", h("kbd", {}, "↓"), " go through them, ", h("kbd", {}, "T"), " adds one to the text."),
      h("ul", {}, this.rows.slice(0, this.shown).map((row) => this.row(row))),
      hidden > 0 ? button(`${count(hidden, "sentence")} more`, more, { class: "plain" }) : "",
    );
  }

  row({ id, account, text, fate: outcome, why, missing, covering }) {
    const number = this.view.index.get(account);
    const characters = [...text.replace(/\s/gu, " ")];
    const pieces = [];
    let at = 0;
    for (const [start, end] of missing) {
      pieces.push(characters.slice(at, start).join(""), h("mark", { class: "missing" }, characters.slice(start, end).join("")));
      at = end;
    }
    pieces.push(characters.slice(at).join(""));
    const present = covering.filter(({ sentence: sentenceId }) => this.view.numbers.has(sentenceId));
    return h(
      "li",
      { class: colour(number), "data-source": id },
      h(
        "div",
        { class: "comparison" },
        h("p", { dir: "auto" }, mark(number), " ", pieces),
        present.length
          ? h("div", {}, h("p", { class: "faint" }, "covered by"), present.map(({ sentence: sentenceId, text: words }) =>
              h("p", { dir: "auto" }, button(String(this.view.numbers.get(sentenceId)), () => this.reading.text.focusOn(sentenceId), { class: "plain goes", "aria-label": `Go to sentence ${this.view.numbers.get(sentenceId)}` }), " ", words)))
          : h("p", { class: "faint" }, sentence(why)),
      ),
      h("p", { class: "faint" }, outcome === "redundant" ? `${sentence(why)} ` : "", button("Add to the text", () => this.add(id), { class: "add", "aria-keyshortcuts": "T" })),
    );
  }

  get buttons() {
    return [...this.node.querySelectorAll("button.add")];
  }

  onKey(event) {
    const row = event.target.closest("li");
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.buttons.findIndex((node) => row.contains(node));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.buttons[at + step]?.focus();
    else if (event.key.toLowerCase() === "t") this.add(row.dataset.source);
    else return;
    event.preventDefault();
  }

  // Add a sentence to the text; the focus moves to the next row.
  add(id) {
    const at = this.rows.findIndex((row) => row.id === id);
    const prediction = this.reading.sentences.prediction(id);
    this.rows = this.rows.toSpliced(at, 1);
    this.drawRows();
    const focusNext = () => (this.buttons[Math.min(at, this.buttons.length - 1)] || this.node.firstChild).focus();
    focusNext();
    this.project.decide({ kind: "tell", source: id, prediction }, "Added to the text. Undo takes it out again.", focusNext).then((done) => {
      if (done) return;
      this.revision = null;
      this.fetch();
    });
  }
}
