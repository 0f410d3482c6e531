// One sentence of the review page: a line while it is closed; its words, verdict and sources while
// it is open.
//
//   const row = new Row(page, index)
//   row.node, row.head       the list item, and the button that opens it
//   row.draw()               after something about it has changed
//   row.begin()              puts the cursor where a new verdict goes on: the text, the reasons
//   row.noted()              opens the note

import { button, composing, fill, h, unique } from "../core/dom.js";
import { direction } from "../core/direction.js";
import { drawSources } from "./review-beside.js";
import { REASONS, SAID, marked } from "./review-sources.js";
import { Words } from "./review-words.js";

const VERDICTS = [["accept", "Accept", "A"], ["edit", "Edit", "E"], ["reject", "Reject", "R"]];

export class Row {
  constructor(page, index) {
    this.page = page;
    this.index = index;
    this.sentence = page.content.sentences[index];
    const id = unique("sentence");
    this.status = h("span", { class: "status" });
    const letters = page.sources.letters(index).join(" ");
    const disputed = page.sources.disputes(index).length > 0;
    this.head = button(
      [`Sentence ${index + 1}`, this.status,
        letters ? h("span", { class: "letters" }, h("span", { class: "unseen" }, "from accounts "), letters) : null,
        disputed ? h("span", { class: "disputed" }, "accounts differ") : null],
      () => page.go(index),
      { class: "plain head", "aria-controls": id },
    );
    this.body = h("div", { id });
    this.node = h(
      "li",
      { class: this.sentence.opens && index ? "card sentence opens" : "card sentence" },
      h("h3", {}, this.head),
      this.body,
    );
    this.open = false;
  }

  get judged() {
    return this.page.judged[this.index];
  }

  draw() {
    const { verdict, reason } = this.judged;
    const open = this.page.at === this.index;
    const why = verdict === "reject" && reason ? `: ${REASONS.find(([name]) => name === reason)[1].toLowerCase()}` : "";
    const said = verdict ? `${SAID[verdict]}${why}` : "";
    if (this.status.textContent !== said) this.status.textContent = said;
    for (const name of Object.keys(SAID)) this.node.classList.toggle(name, verdict === name);
    this.node.classList.toggle("current", open);
    this.head.setAttribute("aria-expanded", String(open));
    if (open && !this.open) this.unfold();
    if (!open) this.fold();
    this.open = open;
    if (open) this.refresh();
  }

  fold() {
    const { verdict, text } = this.judged;
    const key = verdict === "edit" ? `edit ${text}` : "plain";
    if (!this.open && this.folded === key) return;
    this.folded = key;
    this.words = this.area = this.note = null;
    const body = verdict === "edit" ? marked(this.sentence.text, text ?? this.sentence.text) : this.sentence.text;
    const closed = h("p", { class: "reading", dir: direction(this.sentence.text), onclick: () => this.page.go(this.index) }, body);
    fill(this.body, closed);
  }

  unfold() {
    this.folded = null;
    const { page, index, sentence } = this;
    const places = page.sources.behind(index);
    this.words = new Words({ sentence, places, sources: page.sources, label: `Words of sentence ${index + 1}` });
    this.shape = null;
    this.form = h("div", { class: "form" });
    this.beside = drawSources(page, index, places, this.words);
    fill(this.body, this.words.node, this.words.told, this.verdicts(), this.form, this.beside.node);
  }

  verdicts() {
    const name = unique("verdict");
    this.radios = VERDICTS.map(([verdict]) => h("input", {
      type: "radio", name, value: verdict, disabled: this.page.readonly, onchange: () => this.chosen(verdict),
    }));
    return h("div", { class: "verdict kinds", role: "radiogroup", "aria-label": `Verdict on sentence ${this.index + 1}` },
      VERDICTS.map(([, label, key], place) => h("label", { onclick: (event) => this.pressed(event) },
        this.radios[place], label, h("kbd", { "aria-hidden": "true" }, key))),
      this.page.readonly ? null : button("Next open sentence", () => this.page.next(), { class: "plain" }));
  }

  // Pressed, a verdict leads on as its key does; the arrow keys only pass through all of them.
  pressed({ detail }) {
    this.pointed = detail > 0;
    setTimeout(() => (this.pointed = false));
  }

  chosen(verdict) {
    if (this.pointed) this.page.decide(verdict);
    else this.page.judge(verdict);
  }

  refresh() {
    const { verdict, text, reason, note } = this.judged;
    this.radios.forEach((radio) => (radio.checked = radio.value === verdict));
    if (this.shape !== verdict) this.reshape(verdict);
    if (verdict === "edit") {
      const now = text ?? this.sentence.text;
      if (this.area.value !== now) this.area.value = now;
      fill(this.preview, marked(this.sentence.text, now));
      grow(this.area);
    }
    if (verdict === "reject") this.reasons.forEach((radio) => (radio.checked = radio.value === reason));
    if (this.note && this.note.value !== note) this.note.value = note;
    this.beside.draw();
  }

  reshape(verdict) {
    this.shape = verdict;
    this.area = this.preview = this.note = this.reasons = null;
    if (verdict === "edit") fill(this.form, this.editing(), this.noting());
    else if (verdict === "reject") fill(this.form, this.rejecting(), this.noting());
    else fill(this.form);
  }

  editing() {
    const id = unique("edited");
    this.preview = h("p", { class: "reading preview", dir: direction(this.sentence.text) });
    this.area = h("textarea", {
      id, class: "reading", rows: 2, dir: "auto", spellcheck: "true", maxlength: 5000, readOnly: this.page.readonly,
      oninput: () => this.typed("text", this.area.value, "typing"),
      onkeydown: (event) => this.leaving(event, true),
    });
    return [
      h("label", { for: id }, h("strong", {}, "The sentence as it should be")),
      this.area,
      h("p", { class: "faint" }, "What you changed:"),
      this.preview,
    ];
  }

  rejecting() {
    const name = unique("reason");
    this.reasons = REASONS.map(([reason]) => h("input", {
      type: "radio", name, value: reason, disabled: this.page.readonly, onchange: () => this.page.reject(reason),
    }));
    return h("div", { class: "kinds reasons", role: "radiogroup", "aria-label": "Why it is rejected" },
      REASONS.map(([, label], place) =>
        h("label", {}, this.reasons[place], h("kbd", { "aria-hidden": "true" }, place + 1), label)));
  }

  noting() {
    const id = unique("note");
    this.note = h("textarea", {
      id, rows: 1, dir: "auto", maxlength: 5000, readOnly: this.page.readonly,
      oninput: () => this.typed("note", this.note.value, "noting"),
      onkeydown: (event) => this.leaving(event, false),
    });
    return [h("label", { for: id }, "Note"), this.note];
  }

  typed(field, value, kind) {
    this.judged[field] = value;
    this.page.changed(kind);
  }

  leaving(event, single) {
    if (composing(event) || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") this.head.focus();
    else if (event.key === "Enter" && single) this.page.next();
    else return;
    event.preventDefault();
  }

  begin() {
    if (this.area) {
      this.area.focus();
      this.area.selectionStart = this.area.value.length;
    } else if (this.reasons) {
      (this.reasons.find((radio) => radio.checked) || this.reasons[0]).focus();
    }
  }

  noted() {
    if (this.note) this.note.focus();
    else this.page.context.announce("Edit or reject the sentence to leave a note.");
  }
}

function grow(area) {
  requestAnimationFrame(() => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  });
}
