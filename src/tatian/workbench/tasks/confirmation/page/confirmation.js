// The confirmation page: yes or no to each term that somebody linked (Mass et al. 2018, §8.2).
//
// State: {verdicts: [true | false | null, for each candidate], at}. Every place and page is a
// candidate of its own; the one that is judged is marked in the text.

import { h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { article } from "../mentions.detect/list.js";

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
    this.listen = (event) => this.key(event);
    document.addEventListener("keydown", this.listen);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.listen);
  }

  build(root) {
    const { topic, text, candidates } = this.content;
    this.reading = h("p", { class: "reading", dir: direction(text), onclick: (event) => this.press(event) });
    this.rows = candidates.map((one, index) => this.row(one, index));
    this.count = h("p", { class: "faint", role: "status" });
    root.append(h("div", { class: "confirmation" },
      topic ? h("section", { class: "card topic" }, h("h3", {}, "Topic"),
        h("p", { class: "reading", dir: direction(topic) }, topic)) : null,
      h("section", { class: "card context", tabindex: 0, "aria-label": "Text" }, h("h3", {}, "Text"), this.reading),
      h("h2", {}, "Is the term linked rightly?"),
      this.count,
      h("ol", { class: "candidates" }, this.rows.map(({ node }) => node))));
  }

  row(one, index) {
    const term = this.term(one);
    const heading = unique("candidate");
    const name = unique("verdict");
    const choice = (value, label) => h("input", {
      type: "radio", name, value: String(value), disabled: this.readonly, "aria-label": label,
      onchange: () => this.judge(index, value),
    });
    const [yes, no] = [choice(true, "Yes"), choice(false, "No")];
    const node = h(
      "li",
      { class: "card candidate", onfocusin: () => this.visit(index), onclick: () => this.visit(index) },
      h("div", { class: "pair", id: heading },
        h("bdi", { class: "term" }, term),
        h("span", { class: "where" }, ` (${one.start}–${one.end}${this.nth(one)})`),
        h("span", { "aria-hidden": "true" }, " → "),
        h("span", { class: "unseen" }, " linked to "),
        article(one.title)),
      h("p", { class: "about", dir: "auto" }, one.description || "No description in the knowledge base."),
      h("div", { role: "radiogroup", "aria-labelledby": heading, class: "verdict" },
        h("label", {}, yes, h("span", { "aria-hidden": "true" }, "Yes")),
        h("label", {}, no, h("span", { "aria-hidden": "true" }, "No"))),
    );
    return { node, yes, no };
  }

  term({ start, end }) {
    return this.points.slice(start, end).join("");
  }

  // Which of several places of the same words this is.
  nth(one) {
    const alike = this.content.candidates.filter((other) => this.term(other) === this.term(one));
    const places = [...new Set(alike.map(({ start }) => start))].sort((a, b) => a - b);
    return places.length > 1 ? `, place ${places.indexOf(one.start) + 1} of ${places.length}` : "";
  }

  state() {
    return { verdicts: [...this.verdicts], at: this.at };
  }

  restore(state) {
    const { candidates } = this.content;
    const given = state?.verdicts || [];
    this.verdicts = candidates.map((_, index) => (typeof given[index] === "boolean" ? given[index] : null));
    this.at = Math.min(Math.max(0, Number(state?.at) || 0), candidates.length - 1);
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
      node.classList.toggle("current", index === this.at);
    });
    const done = this.verdicts.filter((verdict) => verdict !== null).length;
    const note = `${done} of ${this.verdicts.length} judged.`;
    if (this.count.textContent !== note) this.count.textContent = note;
    this.mark();
  }

  // The text with all candidates faintly marked and the current one clearly.
  mark() {
    const { candidates } = this.content;
    const current = candidates[this.at];
    const cuts = new Set([0, this.points.length, ...candidates.flatMap(({ start, end }) => [start, end])]);
    const bounds = [...cuts].sort((a, b) => a - b);
    this.reading.replaceChildren(...bounds.slice(1).map((end, index) => {
      const start = bounds[index];
      const text = this.points.slice(start, end).join("");
      const inside = candidates.findIndex((one) => one.start <= start && end <= one.end);
      if (inside < 0) return text;
      const on = current.start <= start && end <= current.end;
      return h("mark", { class: on ? "current" : null, "data-candidate": inside }, text);
    }));
  }

  press(event) {
    const found = event.target.closest("mark");
    if (found) this.go(Number(found.dataset.candidate));
  }

  visit(index) {
    if (index === this.at) return;
    this.at = index;
    this.draw();
  }

  go(index) {
    const row = this.rows[index];
    if (!row) return;
    this.visit(index);
    (this.verdicts[index] === false ? row.no : row.yes).focus({ preventScroll: true });
    row.node.scrollIntoView({ block: "nearest" });
  }

  judge(index, value) {
    if (this.readonly) return;
    this.verdicts[index] = value;
    this.visit(index);
    this.draw();
    this.context.changed();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]") || target.closest("textarea, select, input[type=text]")) return;
    if (target !== document.body && !target.closest("main")) return;
    const verdict = { y: true, n: false }[key.toLowerCase()];
    if (verdict !== undefined && !this.readonly) this.decide(verdict);
    else if (key === "ArrowDown" || key === "ArrowUp") {
      const inside = target.closest(".candidate");
      this.go(inside ? this.at + (key === "ArrowDown" ? 1 : -1) : this.at);
    } else return;
    event.preventDefault();
  }

  decide(verdict) {
    const { at } = this;
    this.judge(at, verdict);
    const open = [...this.verdicts.keys()].map((step) => (at + step) % this.verdicts.length)
      .find((index) => this.verdicts[index] === null);
    const said = `“${this.term(this.content.candidates[at])}”: ${verdict ? "yes" : "no"}.`;
    this.context.announce(open === undefined ? `${said} All are judged.` : said);
    this.go(open ?? at);
  }

  feedback(root, feedback) {
    compareVerdicts(root, this.content, this.verdicts, feedback);
  }
}

// Training on the confirmation page: one's own verdicts beside the right ones.
//
//   compareVerdicts(root, content, verdicts, {gold: [{confirmed, why}], note, score})

function compareVerdicts(root, { text, candidates }, verdicts, { gold, note, score }) {
  const points = [...text];
  const heads = ["Term and page", "You", "We"].map((head) => h("th", { scope: "col" }, head));
  const rows = candidates.map((one, index) => {
    const { confirmed, why } = gold[index] || {};
    const right = verdicts[index] === confirmed;
    return h("tr", { class: right ? "right" : "wrong" },
      h("th", { scope: "row" }, h("bdi", {}, points.slice(one.start, one.end).join("")), " → ", article(one.title)),
      h("td", {}, said(verdicts[index]), h("span", { class: "sign" }, right ? " (as ours)" : " (not as ours)")),
      h("td", {}, said(confirmed), why ? h("div", { class: "about", dir: "auto" }, why) : null));
  });
  root.append(
    h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`),
    ...(note ? [h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note)] : []),
    h("p", { class: "reading", dir: "auto" }, text),
    h("table", { class: "compared" },
      h("caption", { class: "unseen" }, "Your verdicts and ours"),
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, rows)),
  );
}

function said(verdict) {
  return verdict ? "Yes" : "No";
}
