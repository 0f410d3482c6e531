// The line at the foot: the last action, then the sources of the word under the pointer.

import { fill, h } from "../core/dom.js";
import { count, mark, named } from "./wording.js";

const TOLD = 2000; // Milliseconds for which nothing but what was done is said,
const STAYS = 8000; // and for which that stays.
const SHOWN = 6;
const HOW = {
  copied: () => "",
  inflected: (words) => `, from “${words}”`,
  substituted: (words) => `, for “${words}”`,
  aggregated: (words) => `, for “${words}”`,
};

export class Foot {
  constructor(reading) {
    this.reading = reading;
    this.told = -TOLD;
    this.said = h("b", { class: "said" });
    this.where = h("span", {});
    this.node = h("div", { id: "reading", role: "status", "aria-atomic": "false", class: "idle", tabindex: 0 }, this.said, this.where);
  }

  // What was done stays to be read, though the pointer may rest on a word: that follows it.
  tell(text) {
    this.told = performance.now();
    fill(this.said, text);
    if (!this.reading.carried) fill(this.where);
    this.node.classList.remove("idle");
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      fill(this.said);
      if (!this.where.firstChild) this.show(this.reading.held);
    }, STAYS);
  }

  // What was said to be done was not.
  hush() {
    clearTimeout(this.announcing);
    this.told = -TOLD;
    fill(this.said);
    this.show(this.reading.held);
  }

  invite(text) {
    fill(this.said);
    this.node.classList.remove("idle");
    fill(this.where, text);
  }

  // `sure`: it was asked for, not only passed by.
  show(selection, sure = false) {
    if (this.reading.carried || this.reading.differ.first || (!sure && performance.now() - this.told <= TOLD)) return;
    const told = this.said.firstChild;
    this.node.classList.toggle("idle", !selection && !told);
    fill(this.where, selection ? this.line(selection) : told ? "" : idle());
  }

  line(selection) {
    if (selection.type === "word") return this.wordLine(selection);
    if (selection.type === "source") return this.sourceLine(selection);
    const { claims } = this.reading.view.disputes.get(selection.id);
    return [h("b", {}, "The sources disagree:"), claims.map(({ document, text }) => [" ", this.named(this.reading.view.index.get(document)), ` “${text}”`])];
  }

  wordLine({ sentence, place }) {
    const { tokens, text, disputes } = this.reading.view.sentences.get(sentence);
    const token = tokens[place];
    const word = h("b", { class: "lemma" }, [...text].slice(token.start, token.end).join(""));
    if (token.own) return [word, " your own word"];
    if (!token.sources.length) return [word, " in no source: it joins the others"];
    const places = token.sources.slice(0, SHOWN).map(([document, start, end, kind]) => {
      return [" ", this.named(document), HOW[kind](this.reading.beside.said(document, start, end))];
    });
    const rest = token.sources.length > SHOWN ? ` and ${count(token.sources.length - SHOWN, "more place")}` : "";
    const dispute = this.reading.view.notes.get(sentence)?.[place];
    return [word, places, rest, dispute && disputes.length ? h("a", { href: `#note-${dispute}`, onclick: (event) => this.reading.notes.go(event, dispute) }, ` in conflict, note ${dispute}`) : ""];
  }

  named(document) {
    return named(document, this.reading.view.documents[document]);
  }

  // The name of a source sentence: headlines are not counted.
  numbered({ account, number }) {
    const called = this.reading.view.documents[account].first + number;
    return called > 0 ? `sentence ${called}` : "headline";
  }

  sourceLine({ account, number }) {
    const { fate, into, why } = this.reading.view.fates[account]?.[number] || { fate: "unused", into: [], why: "" };
    const where = into.map((id) => this.reading.view.numbers.get(id)).filter(Boolean).join(", ");
    const words = { kept: `in the text as sentence ${where}`, merged: `in the text, in sentence ${where}`, redundant: where ? `already covered by sentence ${where}` : "already covered", unused: "left out" }[fate];
    return [mark(account), ` ${this.numbered({ account, number })}: `, h("b", {}, words), why ? ` (${why})` : ""];
  }
}

function idle() {
  const point = matchMedia("(pointer: coarse)").matches ? "Tap" : "Point at";
  return `${point} a word to see where it comes from; a sentence's number changes it.`;
}
