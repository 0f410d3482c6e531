// The review page: a woven text sentence by sentence, each accepted, edited or rejected with the
// source sentences behind it in view.
//
// State: {judged: [{verdict, text, reason, note}], missing: [{document, sentence}], at}. Verdict,
// text and reason are null until given; what was typed is kept when another verdict is chosen.

import { h } from "../core/dom.js";
import { drawAccounts } from "./review-accounts.js";
import { compareReviews } from "./review-feedback.js";
import { LeftOut } from "./review-left-out.js";
import { Row } from "./review-row.js";
import { REASONS, SAID, Sources, unchanged } from "./review-sources.js";

export const style = "review.css";

const HELP = [
  ["A", "Accept the open sentence and go on"],
  ["E", "Edit it; Enter when done, Escape to leave the field"],
  ["R", "Reject it, then 1 – 6 for the reason"],
  ["N", "A note on it"],
  ["J, K or ↓, ↑", "Next or previous sentence"],
  ["W", "To its words; ← → shows where each comes from"],
];
const VERDICT_KEYS = { a: "accept", e: "edit", r: "reject" };
const OPEN = { verdict: null, text: null, reason: null, note: "" };

export function stateOf({ sentences, missing = [] }) {
  const judged = sentences.map((one) => ({ ...OPEN, ...one, text: one.text || null }));
  return { judged, missing, at: 0 };
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Review(root, content, state, readonly, context);
}

class Review {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.readonly = readonly;
    this.context = context;
    this.help = HELP;
    this.sources = new Sources(content);
    this.rows = content.sentences.map((_, index) => new Row(this, index));
    this.leftOut = new LeftOut(this);
    this.count = h("p", { class: "faint count", role: "status" });
    this.build(root);
    this.listen = (event) => this.key(event);
    document.addEventListener("keydown", this.listen);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.listen);
  }

  build(root) {
    const { before, after, accounts } = this.content;
    const beside = (label, text) =>
      text ? h("p", { class: "neighbour faint", dir: "auto" }, h("b", {}, `${label}: `), text) : null;
    this.list = h("ol", { class: "sentences", "aria-label": "Sentences of the text" },
      this.rows.map(({ node }) => node));
    root.append(h(
      "div",
      { class: "review" },
      h("ul", { class: "legend accounts", "aria-label": "Accounts" },
        accounts.map((account) => h("li", {}, h("b", {}, account.letter), " ", h("bdi", {}, account.name),
          account.date ? `, ${account.date}` : null))),
      h("p", { class: "faint by" }, "A program wrote the text out of these accounts."),
      this.count,
      beside("Before it", before),
      this.list,
      beside("After it", after),
      this.leftOut.node,
      drawAccounts(this),
    ));
  }

  state() {
    const missing = this.sources.places().filter((place) => this.missing.has(place.key))
      .map(({ document, number }) => ({ document, sentence: number }));
    return { judged: this.judged.map((one) => ({ ...one })), missing, at: this.at };
  }

  restore(state) {
    const { sentences } = this.content;
    this.judged = sentences.map((_, index) => known(state?.judged?.[index]));
    const wanted = new Set((state?.missing || []).map((one) => `${one.document}\n${one.sentence}`));
    this.missing = new Set(this.sources.places()
      .filter(({ document, number }) => wanted.has(`${document}\n${number}`)).map(({ key }) => key));
    this.at = Math.min(Math.max(0, Number(state?.at) || 0), sentences.length - 1);
    const focused = this.list.contains(document.activeElement);
    this.rows.forEach((row) => row.draw());
    this.tally();
    const { node, head } = this.rows[this.at];
    if (focused && !node.contains(document.activeElement)) head.focus();
  }

  answer() {
    const sentences = this.judged.map(({ verdict, text, reason, note }) => {
      const one = { verdict };
      if (verdict === "edit") one.text = (text ?? "").replace(/\s+/g, " ").trim();
      if (verdict === "reject") one.reason = reason;
      if (verdict !== "accept" && note.trim()) one.note = note.trim();
      return one;
    });
    return { sentences, missing: this.state().missing };
  }

  problems() {
    const open = this.judged.filter(({ verdict }) => verdict === null).length;
    const found = open ? [open === 1 ? "One sentence is not judged yet." : `${open} sentences are not judged yet.`] : [];
    this.judged.forEach((one, index) => {
      const problem = this.problem(one, this.content.sentences[index].text);
      if (problem) found.push(`Sentence ${index + 1}: ${problem}`);
    });
    return found;
  }

  problem({ verdict, text, reason, note }, proposal) {
    if (verdict === "edit" && !(text ?? proposal).trim()) return "nothing is left of it; reject it instead.";
    if (verdict === "edit" && unchanged(proposal, text)) return "no word is changed; accept it instead, or change it.";
    if (verdict === "reject" && !reason) return "say why it is rejected.";
    if (verdict === "reject" && reason === "other" && !note.trim()) return "say in the note why it is rejected.";
    return null;
  }

  tally() {
    const counts = { accept: 0, edit: 0, reject: 0 };
    for (const { verdict } of this.judged) if (verdict) counts[verdict] += 1;
    const done = counts.accept + counts.edit + counts.reject;
    const said = Object.entries(SAID).filter(([verdict]) => counts[verdict])
      .map(([verdict, word]) => `${counts[verdict]} ${word}`).join(", ");
    const told = `${done} of ${this.judged.length} judged${said ? `: ${said}` : ""}.`;
    if (this.count.textContent !== told) this.count.textContent = told;
    this.leftOut.draw();
  }

  changed(kind) {
    this.rows[this.at].draw();
    this.tally();
    this.context.changed(kind);
  }

  judge(verdict) {
    if (this.readonly) return;
    const one = this.judged[this.at];
    one.verdict = verdict;
    if (verdict === "edit") one.text ??= this.content.sentences[this.at].text;
    this.changed();
  }

  reject(reason) {
    if (this.readonly) return;
    this.judged[this.at].reason = reason;
    this.changed();
  }

  call(key) {
    if (this.readonly) return;
    if (!this.missing.delete(key)) this.missing.add(key);
    this.context.announce(this.missing.has(key) ? "Should be in the text." : "May be left out.");
    this.changed();
  }

  // Only the open sentence shows its words and sources, so that long texts stay quick.
  go(index, focus = true) {
    const row = this.rows[index];
    if (!row) return;
    const before = this.at;
    this.at = index;
    if (before !== index) this.rows[before].draw();
    row.draw();
    if (focus) row.head.focus({ preventScroll: true });
    row.node.scrollIntoView({ block: "nearest" });
  }

  // To the next sentence without a complete verdict, from here round to the start.
  next() {
    const { at, judged } = this;
    const open = (index) => judged[index].verdict === null
      || this.problem(judged[index], this.content.sentences[index].text) !== null;
    const found = judged.map((_, step) => (at + 1 + step) % judged.length).find(open);
    const said = judged[at].verdict ? `Sentence ${at + 1} ${SAID[judged[at].verdict]}. ` : "";
    this.context.announce(said + (found === undefined ? "All sentences are judged." : `Now sentence ${found + 1}.`));
    this.go(found ?? at);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (document.querySelector("dialog[open]") || target.closest("textarea, select, input[type=text]")) return;
    if (target !== document.body && !target.closest("main")) return;
    const arrows = target.closest('[role="listbox"], input[type=radio]');
    const steps = { j: 1, k: -1, ...(arrows ? {} : { ArrowDown: 1, ArrowUp: -1 }) };
    const row = this.rows[this.at];
    if (key in steps) this.go(this.at + steps[key]);
    else if (key === "w") row.words?.focus();
    else if (this.readonly) return;
    else if (key in VERDICT_KEYS) this.decide(VERDICT_KEYS[key]);
    else if (key === "n") row.noted();
    else if (/^[1-6]$/.test(key) && this.judged[this.at].verdict === "reject") this.choose(Number(key) - 1);
    else return;
    event.preventDefault();
  }

  decide(verdict) {
    this.judge(verdict);
    if (verdict === "accept") this.next();
    else this.rows[this.at].begin();
  }

  choose(place) {
    const [reason] = REASONS[place];
    this.reject(reason);
    if (reason === "other" && !this.judged[this.at].note.trim()) this.rows[this.at].noted();
    else this.next();
  }

  feedback(root, feedback) {
    compareReviews(root, this.content, this.sources, feedback);
  }
}

function known(given) {
  const one = given && typeof given === "object" ? given : {};
  return {
    verdict: one.verdict in SAID ? one.verdict : null,
    text: typeof one.text === "string" ? one.text : null,
    reason: REASONS.some(([name]) => name === one.reason) ? one.reason : null,
    note: typeof one.note === "string" ? one.note : "",
  };
}
