// The confirmation page: yes or no to each link of a term (Mass et al. 2018, §8.2).
//
// State: {verdicts: [true | false | null, for each candidate], at}. A candidate is one place linked
// to one page; `at` is the index of the current one, which is highlighted in the text.

import { h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { scoreLines, tableHead } from "../../core/feedback.js";
import { articleLink } from "../mentions.detect/list.js";

export const style = "../mentions.detect/detection.css";

const HELP = [
  ["Y, N", "Yes or no to the term that is marked; the next open one follows"],
  ["↑ ↓", "Previous or next term"],
];

export function stateOf({ verdicts }) {
  return { verdicts, at: 0 };
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Confirmation(root, content, state, readonly, context);
}

class Confirmation {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.points = [...content.text];
    this.readonly = readonly;
    this.context = context;
    this.help = HELP;
    this.build(root);
    this.onKeydown = (event) => this.onKey(event);
    document.addEventListener("keydown", this.onKeydown);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKeydown);
  }

  build(root) {
    const { topic, text, candidates } = this.content;
    this.textNode = h("p", { class: "reading", dir: direction(text), onclick: (event) => this.onPress(event) });
    this.rows = candidates.map((candidate, index) => this.row(candidate, index));
    this.countLine = h("p", { class: "faint", role: "status" });
    root.append(h("div", { class: "confirmation" },
      topic ? h("section", { class: "card topic" }, h("h3", {}, "Topic"),
        h("p", { class: "reading", dir: direction(topic) }, topic)) : null,
      h("section", { class: "card context", tabindex: 0, "aria-label": "Text" }, h("h3", {}, "Text"), this.textNode),
      h("h2", {}, "Is the term linked rightly?"),
      this.countLine,
      h("ol", { class: "candidates" }, this.rows.map(({ node }) => node))));
  }

  row(candidate, index) {
    const term = this.term(candidate);
    const heading = unique("candidate");
    const name = unique("verdict");
    const choice = (value, label) => h("input", {
      type: "radio", name, value: String(value), disabled: this.readonly, "aria-label": label,
      onchange: () => this.judge(index, value),
    });
    const [yes, no] = [choice(true, "Yes"), choice(false, "No")];
    const node = h(
      "li",
      { class: "card candidate", onfocusin: () => this.setCurrent(index), onclick: () => this.setCurrent(index) },
      h("div", { class: "pair", id: heading },
        h("bdi", { class: "term" }, term),
        h("span", { class: "where" }, ` (${candidate.start}–${candidate.end}${this.placeLabel(candidate)})`),
        h("span", { "aria-hidden": "true" }, " → "),
        h("span", { class: "unseen" }, " linked to "),
        articleLink(candidate.title)),
      h("p", { class: "about", dir: "auto" }, candidate.description || "No description in the knowledge base."),
      h("div", { role: "radiogroup", "aria-labelledby": heading, class: "verdict" },
        h("label", {}, yes, h("span", { "aria-hidden": "true" }, "Yes")),
        h("label", {}, no, h("span", { "aria-hidden": "true" }, "No"))),
    );
    return { node, yes, no };
  }

  term({ start, end }) {
    return this.points.slice(start, end).join("");
  }

  // Number the place if the same words stand at several.
  placeLabel(candidate) {
    const sameTerms = this.content.candidates.filter((other) => this.term(other) === this.term(candidate));
    const places = [...new Set(sameTerms.map(({ start }) => start))].sort((a, b) => a - b);
    return places.length > 1 ? `, place ${places.indexOf(candidate.start) + 1} of ${places.length}` : "";
  }

  state() {
    return { verdicts: [...this.verdicts], at: this.current };
  }

  restore(state) {
    const { candidates } = this.content;
    const stored = state?.verdicts || [];
    this.verdicts = candidates.map((_, index) => (typeof stored[index] === "boolean" ? stored[index] : null));
    this.current = Math.min(Math.max(0, Number(state?.at) || 0), candidates.length - 1);
    this.draw();
  }

  answer() {
    return { verdicts: [...this.verdicts] };
  }

  problems() {
    const open = this.verdicts.filter((verdict) => verdict === null).length;
    if (!open) return [];
    return [open === 1 ? "One term is not judged yet." : `${open} terms are not judged yet.`];
  }

  draw() {
    this.rows.forEach(({ node, yes, no }, index) => {
      yes.checked = this.verdicts[index] === true;
      no.checked = this.verdicts[index] === false;
      node.classList.toggle("current", index === this.current);
    });
    const judged = this.verdicts.filter((verdict) => verdict !== null).length;
    const note = `${judged} of ${this.verdicts.length} judged.`;
    if (this.countLine.textContent !== note) this.countLine.textContent = note;
    this.drawText();
  }

  // Draw the text with all candidates marked, and the current one highlighted.
  drawText() {
    const { candidates } = this.content;
    const current = candidates[this.current];
    const cuts = new Set([0, this.points.length, ...candidates.flatMap(({ start, end }) => [start, end])]);
    const bounds = [...cuts].sort((a, b) => a - b);
    this.textNode.replaceChildren(...bounds.slice(1).map((end, index) => {
      const start = bounds[index];
      const text = this.points.slice(start, end).join("");
      const candidateIndex = candidates.findIndex((candidate) => candidate.start <= start && end <= candidate.end);
      if (candidateIndex < 0) return text;
      const isCurrent = current.start <= start && end <= current.end;
      return h("mark", { class: isCurrent ? "current" : null, "data-candidate": candidateIndex }, text);
    }));
  }

  onPress(event) {
    const mark = event.target.closest("mark");
    if (mark) this.focusRow(Number(mark.dataset.candidate));
  }

  setCurrent(index) {
    if (index === this.current) return;
    this.current = index;
    this.draw();
  }

  focusRow(index) {
    const row = this.rows[index];
    if (!row) return;
    this.setCurrent(index);
    (this.verdicts[index] === false ? row.no : row.yes).focus({ preventScroll: true });
    row.node.scrollIntoView({ block: "nearest" });
  }

  judge(index, value) {
    if (this.readonly) return;
    this.verdicts[index] = value;
    this.setCurrent(index);
    this.draw();
    this.context.changed();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]") || target.closest("textarea, select, input[type=text]")) return;
    if (target !== document.body && !target.closest("main")) return;
    const verdict = { y: true, n: false }[key.toLowerCase()];
    if (verdict !== undefined && !this.readonly) this.decide(verdict);
    else if (key === "ArrowDown" || key === "ArrowUp") {
      const row = target.closest(".candidate");
      this.focusRow(row ? this.current + (key === "ArrowDown" ? 1 : -1) : this.current);
    } else return;
    event.preventDefault();
  }

  decide(verdict) {
    const { current } = this;
    this.judge(current, verdict);
    const open = [...this.verdicts.keys()].map((step) => (current + step) % this.verdicts.length)
      .find((index) => this.verdicts[index] === null);
    const message = `“${this.term(this.content.candidates[current])}”: ${verdict ? "yes" : "no"}.`;
    this.context.announce(open === undefined ? `${message} All are judged.` : message);
    this.focusRow(open ?? current);
  }

  feedback(root, feedback) {
    compareVerdicts(root, this.content, this.verdicts, feedback);
  }
}

// Feedback: the person's verdicts beside the right ones.
//
//   compareVerdicts(root, content, verdicts, {gold: [{confirmed, why}], note, score})

function compareVerdicts(root, { text, candidates }, verdicts, { gold, note, score }) {
  const points = [...text];
  const rows = candidates.map((candidate, index) => {
    const { confirmed, why } = gold[index] || {};
    const isRight = verdicts[index] === confirmed;
    return h("tr", { class: isRight ? "right" : "wrong" },
      h("th", { scope: "row" }, h("bdi", {}, points.slice(candidate.start, candidate.end).join("")), " → ", articleLink(candidate.title)),
      h("td", {}, yesOrNo(verdicts[index]), h("span", { class: "sign" }, isRight ? " (as ours)" : " (not as ours)")),
      h("td", {}, yesOrNo(confirmed), why ? h("div", { class: "about", dir: "auto" }, why) : null));
  });
  root.append(
    ...scoreLines(score, note),
    h("p", { class: "reading", dir: "auto" }, text),
    h("table", { class: "compared" },
      h("caption", { class: "unseen" }, "Your verdicts and ours"),
      tableHead(["Term and page", "You", "We"]),
      h("tbody", {}, rows)),
  );
}

function yesOrNo(verdict) {
  return verdict ? "Yes" : "No";
}
