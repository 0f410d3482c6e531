// Sentences left out of the text, the least covered first, beside the sentences that cover them.

import { button, fill, h, inPlace } from "../core/dom.js";
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
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  draw(view) {
    this.view = view;
    const fates = view.fates.flat();
    const told = fates.filter(({ fate }) => fate === "redundant").length;
    const out = told + fates.filter(({ fate }) => fate === "unused").length;
    this.node.hidden = !out;
    const others = told ? `, ${told.toLocaleString("en")} of them covered by others` : "";
    fill(this.node.firstChild, `Left out: ${count(out, "sentence")}${others}`);
    this.fetch();
  }

  // Asked for while it is open; an answer about a text that has changed since is not drawn.
  async fetch() {
    const { project } = this;
    const { revision } = project.state.woven;
    if (!this.node.open || this.revision === revision) return;
    try {
      const found = await project.server.leftOut(project.id);
      if (found.revision < project.state.woven.revision) return;
      this.revision = found.revision;
      this.rows = found.sentences;
      inPlace(this.node, () => this.drawRows());
    } catch (error) {
      fill(this.node.lastChild, h("p", { class: "faint" }, sentence(error.message), " ", button("Try again", () => this.fetch(), { class: "plain" })));
    }
  }

  drawRows() {
    const rest = this.rows.length - this.shown;
    const more = () => {
      this.shown += STEP;
      inPlace(this.node, () => this.drawRows());
    };
    fill(
      this.node.lastChild,
      h("p", { class: "faint" }, "The least covered first. Words that the text does not have there are marked. ", h("kbd", {}, "↑"), " ", h("kbd", {}, "↓"), " go through them, ", h("kbd", {}, "T"), " adds one to the text."),
      h("ul", {}, this.rows.slice(0, this.shown).map((row) => this.row(row))),
      rest > 0 ? button(`${count(rest, "sentence")} more`, more, { class: "plain" }) : "",
    );
  }

  row({ id, account, text, fate, why, missing, covering }) {
    const place = this.view.index.get(account);
    const characters = [...text.replace(/\s/gu, " ")];
    const pieces = [];
    let at = 0;
    for (const [start, end] of missing) {
      pieces.push(characters.slice(at, start).join(""), h("mark", { class: "missing" }, characters.slice(start, end).join("")));
      at = end;
    }
    pieces.push(characters.slice(at).join(""));
    const told = covering.filter(({ sentence: one }) => this.view.numbers.has(one));
    return h(
      "li",
      { class: colour(place), "data-source": id },
      h(
        "div",
        { class: "beside" },
        h("p", { dir: "auto" }, mark(place), " ", pieces),
        told.length
          ? h("div", {}, h("p", { class: "faint" }, "covered by"), told.map(({ sentence: one, text: said }) =>
              h("p", { dir: "auto" }, button(String(this.view.numbers.get(one)), () => this.reading.text.focusOn(one), { class: "plain goes", "aria-label": `Go to sentence ${this.view.numbers.get(one)}` }), " ", said)))
          : h("p", { class: "faint" }, sentence(why)),
      ),
      h("p", { class: "faint" }, fate === "redundant" ? `${sentence(why)} ` : "", button("Add to the text", () => this.tell(id), { class: "tell", "aria-keyshortcuts": "T" })),
    );
  }

  get buttons() {
    return [...this.node.querySelectorAll("button.tell")];
  }

  key(event) {
    const row = event.target.closest("li");
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.buttons.findIndex((one) => row.contains(one));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.buttons[at + step]?.focus();
    else if (event.key.toLowerCase() === "t") this.tell(row.dataset.source);
    else return;
    event.preventDefault();
  }

  // The focus stays in the list, on what comes next.
  tell(id) {
    const at = this.rows.findIndex((row) => row.id === id);
    const foreseen = this.reading.sentences.foreseen(id);
    this.rows = this.rows.toSpliced(at, 1);
    this.drawRows();
    const stand = () => (this.buttons[Math.min(at, this.buttons.length - 1)] || this.node.firstChild).focus();
    stand();
    this.project.decide({ kind: "tell", source: id, foreseen }, "Added to the text. Undo takes it out again.", stand).then((done) => {
      if (done) return;
      this.revision = null;
      this.fetch();
    });
  }
}
