// The status line at the foot: the last message, or the sources of the word under the pointer.

import { fill, h } from "../core/dom.js";
import { count, mark, named } from "./wording.js";

const ALONE_FOR = 2000; // Milliseconds for which a message is shown alone.
const SHOWN_FOR = 8000; // Milliseconds for which a message is shown.
const MOST_SOURCES = 6; // Sources of a word that are shown.
const KINDS = {
  copied: () => "",
  inflected: (words) => `, from “${words}”`,
  substituted: (words) => `, for “${words}”`,
  aggregated: (words) => `, for “${words}”`,
};

export class StatusLine {
  constructor(reading) {
    this.reading = reading;
    this.announcedAt = -ALONE_FOR;
    this.message = h("b", { class: "status-message" });
    this.where = h("span", {});
    this.node = h("div", { id: "reading", role: "status", "aria-atomic": "false", class: "idle", tabindex: 0 }, this.message, this.where);
  }

  // Show a message, even while the pointer rests on a word.
  announce(text) {
    this.announcedAt = performance.now();
    fill(this.message, text);
    fill(this.where);
    this.node.classList.remove("idle");
    clearTimeout(this.clearing);
    this.clearing = setTimeout(() => {
      fill(this.message);
      if (!this.where.firstChild) this.show(this.reading.pinned);
    }, SHOWN_FOR);
  }

  // Remove the message of an action that has failed.
  retract() {
    clearTimeout(this.clearing);
    this.announcedAt = -ALONE_FOR;
    fill(this.message);
    this.show(this.reading.pinned);
  }

  // Show what to do next.
  prompt(text) {
    fill(this.message);
    this.node.classList.remove("idle");
    fill(this.where, text);
  }

  // `force`: show it even while a message is shown alone.
  show(selection, force = false) {
    if (this.reading.moving || this.reading.marker.first || (!force && performance.now() - this.announcedAt <= ALONE_FOR)) return;
    const message = this.message.firstChild;
    this.node.classList.toggle("idle", !selection && !message);
    fill(this.where, selection ? this.line(selection) : message ? "" : hintText());
  }

  line(selection) {
    if (selection.type === "word") return this.wordLine(selection);
    if (selection.type === "source") return this.sourceLine(selection);
    const { claims } = this.reading.view.conflicts.get(selection.id);
    return [h("b", {}, "The sources disagree:"), claims.map(({ document, text }) => [" ", this.sourceName(this.reading.view.index.get(document)), ` “${text}”`])];
  }

  wordLine({ sentence, place }) {
    const { tokens, text, disputes: conflicts } = this.reading.view.sentences.get(sentence);
    const token = tokens[place];
    const word = h("b", { class: "lemma" }, [...text].slice(token.start, token.end).join(""));
    if (token.own) return [word, " your own word"];
    if (!token.sources.length) return [word, " in no source: it joins the others"];
    const places = token.sources.slice(0, MOST_SOURCES).map(([document, start, end, kind]) => {
      return [" ", this.sourceName(document), KINDS[kind](this.reading.sourcePane.textOf(document, start, end))];
    });
    const remaining = token.sources.length > MOST_SOURCES ? ` and ${count(token.sources.length - MOST_SOURCES, "more place")}` : "";
    const note = this.reading.view.notes.get(sentence)?.[place];
    return [word, places, remaining, note && conflicts.length ? h("a", { href: `#note-${note}`, onclick: (event) => this.reading.notes.goToNote(event, note) }, ` in conflict, note ${note}`) : ""];
  }

  sourceName(document) {
    return named(document, this.reading.view.documents[document]);
  }

  // The name of a source sentence: headlines are not counted.
  sentenceName({ account, number }) {
    const shown = this.reading.view.documents[account].first + number;
    return shown > 0 ? `sentence ${shown}` : "headline";
  }

  sourceLine({ account, number }) {
    const { fate: outcome, into, why } = this.reading.view.outcomes[account]?.[number] || { fate: "unused", into: [], why: "" };
    const where = into.map((id) => this.reading.view.numbers.get(id)).filter(Boolean).join(", ");
    const words = { kept: `in the text as sentence ${where}`, merged: `in the text, in sentence ${where}`, redundant: where ? `already covered by sentence ${where}` : "already covered", unused: "left out" }[outcome];
    return [mark(account), ` ${this.sentenceName({ account, number })}: `, h("b", {}, words), why ? ` (${why})` : ""];
  }
}

function hintText() {
  const point = matchMedia("(pointer: coarse)").matches ? "Tap" : "Point at";
  return `${point} a word to see where it comes from; a sentence's number changes it.`;
}
