// Several unions under letters, rated one criterion after the other; which system wrote one is not
// known here.
//
// The draft is {ratings: {criterion: [1..n or null, as the unions are shown]}, page}.

import { button, composing, fill, h, unique } from "../../core/dom.js";
import { shown } from "../../core/diff.js";
import { direction } from "../../core/direction.js";

export const style = "judging.css";

export function stateOf(answer) {
  return { ratings: answer.ratings, page: 0 };
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Judging(root, content, state, readonly, context);
}

const KEYS = [
  ["1 – 5", "Rate the sentence you are at"],
  ["↑ ↓", "Previous or next sentence"],
  ["← →", "Lower or higher rating"],
  ["Enter", "Next criterion, or submit on the last"],
  ["Page Up, Page Down", "Previous or next criterion"],
];

class Judging {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.readonly = readonly;
    this.context = context;
    this.help = KEYS;
    this.node = h("div", { class: "judging" });
    root.append(this.node);
    this.listen = (event) => this.key(event);
    document.addEventListener("keydown", this.listen);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.listen);
  }

  get criterion() {
    return this.content.criteria[this.page];
  }

  get last() {
    return this.page === this.content.criteria.length - 1;
  }

  state() {
    return { ratings: structuredClone(this.ratings), page: this.page };
  }

  restore(state) {
    const { criteria, outputs } = this.content;
    this.ratings = {};
    for (const { name, labels } of criteria) {
      const given = state?.ratings?.[name] || [];
      this.ratings[name] = outputs.map((_, index) => known(given[index], labels.length));
    }
    this.page = Math.min(Math.max(0, Number(state?.page) || 0), criteria.length - 1);
    this.at = 0;
    this.draw();
  }

  answer() {
    return { ratings: structuredClone(this.ratings) };
  }

  ready() {
    return this.last || this.problems().length === 0;
  }

  problems() {
    return this.content.criteria.flatMap((criterion) => {
      const open = this.open(criterion.name);
      return open.length ? [`${criterion.title}: rate ${listed(open)}.`] : [];
    });
  }

  open(name) {
    return this.content.outputs
      .filter((_, index) => this.ratings[name][index] === null)
      .map(({ label }) => label);
  }

  draw() {
    const { title, question, base, labels } = this.criterion;
    const { reference, sentences } = this.content;
    this.heading = h("h2", { tabindex: -1 }, title);
    this.rows = this.content.outputs.map((output, index) => this.row(output, index));
    fill(
      this.node,
      this.steps(),
      this.heading,
      h("p", { class: "asked" }, question),
      sentences.length ? sources(sentences) : null,
      base === null ? null : quoted("Reference", reference),
      h("section", { class: "scale", "aria-label": "What the ratings mean" },
        h("ol", {}, labels.map((label) => h("li", {}, label)))),
      base === null ? null : legend(base),
      h("div", { class: "outputs" }, this.rows.map(({ node }) => node)),
      this.turning(),
    );
  }

  steps() {
    const step = (criterion, index) => {
      const open = this.open(criterion.name).length;
      const total = this.content.outputs.length;
      const current = index === this.page ? { "aria-current": "step" } : {};
      return h(
        "li",
        { class: open ? null : "done" },
        button([criterion.title, h("small", {}, ` ${total - open} of ${total}`)], () => this.turn(index), current),
      );
    };
    this.nav = h("nav", { "aria-label": "Criteria" },
      h("ol", { class: "steps" }, this.content.criteria.map(step)));
    return this.nav;
  }

  row({ label, text }, index) {
    const { name, title, base, labels } = this.criterion;
    const heading = unique("sentence");
    const group = unique("rating");
    const radios = labels.map((meaning, place) =>
      h("input", {
        type: "radio",
        name: group,
        value: String(place + 1),
        checked: this.ratings[name][index] === place + 1,
        disabled: this.readonly,
        "aria-label": `${place + 1}: ${meaning}`,
        onchange: () => this.rate(index, place + 1),
      }),
    );
    const meaning = h("p", { class: "meaning" }, this.meaning(index));
    const node = h(
      "section",
      { class: "card output", "aria-labelledby": heading, onfocusin: () => (this.at = index) },
      h("h3", { id: heading }, h("span", { class: "unseen" }, "Sentence "), label),
      h("p", { class: "reading", dir: direction(text) }, compared(base, this.content.reference, text)),
      h(
        "div",
        { class: "rating" },
        h(
          "div",
          { role: "radiogroup", "aria-label": `${title} of sentence ${label}`, class: "choices" },
          radios.map((radio, place) =>
            h("label", { title: labels[place] }, radio, h("span", { "aria-hidden": "true" }, place + 1))),
        ),
        meaning,
      ),
    );
    return { node, radios, meaning };
  }

  meaning(index) {
    const value = this.ratings[this.criterion.name][index];
    return value === null ? "" : this.criterion.labels[value - 1];
  }

  turning() {
    if (this.readonly && this.content.criteria.length === 1) return null;
    const before = this.content.criteria[this.page - 1];
    const after = this.content.criteria[this.page + 1];
    return h(
      "div",
      { class: "actions turning" },
      before ? button(`Back to ${before.title.toLowerCase()}`, () => this.turn(this.page - 1)) : null,
      after ? button(`Next: ${after.title.toLowerCase()}`, () => this.next(), { class: "primary" }) : null,
    );
  }

  rate(index, value) {
    const { name, labels } = this.criterion;
    if (this.readonly || value < 1 || value > labels.length) return;
    this.ratings[name][index] = value;
    this.rows[index].radios[value - 1].checked = true;
    this.rows[index].meaning.textContent = this.meaning(index);
    this.nav.replaceWith(this.steps());
    this.context.announce(`Sentence ${this.content.outputs[index].label}: ${value}, ${this.meaning(index)}`);
    this.context.changed();
  }

  turn(page) {
    if (page < 0 || page >= this.content.criteria.length || page === this.page) return;
    this.page = page;
    this.at = 0;
    this.draw();
    if (!this.readonly) this.context.changed();
    this.heading.focus();
    this.heading.scrollIntoView({ block: "nearest" });
  }

  next() {
    const open = this.open(this.criterion.name);
    if (open.length) {
      this.context.announce(`Rate ${listed(open)} first.`);
      this.go(this.content.outputs.findIndex(({ label }) => label === open[0]));
    } else if (!this.last) this.turn(this.page + 1);
    else if (!this.readonly) this.context.submit();
  }

  go(index) {
    const row = this.rows[index];
    if (!row) return;
    this.at = index;
    (row.radios.find((radio) => radio.checked) || row.radios[0]).focus();
    row.node.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || composing(event)) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]") || target.closest("textarea, select")) return;
    const inside = target.closest(".output");
    const elsewhere = target !== document.body && !target.closest("main");
    if (/^[1-9]$/.test(key)) {
      this.rate(this.at, Number(key));
      this.go(this.at);
    } else if (elsewhere) return;
    else if (key === "ArrowDown" || key === "ArrowUp") {
      this.go(inside ? this.at + (key === "ArrowDown" ? 1 : -1) : this.at);
    } else if (key === "Enter") {
      if (target.closest("button, a, summary")) return;
      this.next();
    } else if (key === "PageDown") this.turn(this.page + 1);
    else if (key === "PageUp") this.turn(this.page - 1);
    else return;
    event.preventDefault();
  }

  feedback(root, feedback) {
    this.destroy();
    compareRatings(root, this.content, feedback);
  }
}

function known(value, most) {
  return Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

function listed(labels) {
  const last = labels.at(-1);
  return labels.length > 1 ? `${labels.slice(0, -1).join(", ")} and ${last}` : last;
}

// The texts of the judging page: unions compared with the reference, and what the colours mean.

function compared(base, reference, text) {
  if (!text) return h("em", {}, "This system wrote nothing.");
  if (base === "reference") return shown(reference, text, { removed: "missing", added: "added" });
  if (base === "output") return shown(reference, text, { removed: null, added: "not in the reference" });
  return text;
}

function quoted(title, text) {
  const heading = unique("quoted");
  return h(
    "section",
    { class: "card reference", "aria-labelledby": heading },
    h("h3", { id: heading }, title),
    h("p", { class: "reading", dir: direction(text) }, text),
  );
}

function sources(sentences) {
  return h(
    "details",
    { class: "sources" },
    h("summary", {}, "The sentences that were merged"),
    h("ol", {}, sentences.map((sentence) => h("li", { dir: direction(sentence) }, sentence))),
  );
}

function legend(base) {
  const added = [h("ins", {}, "green"), ": in the sentence, not in the reference"];
  if (base === "output") return h("p", { class: "legend" }, added);
  return h("p", { class: "legend" }, h("del", {}, "red"), ": in the reference, not in the sentence; ", added);
}

// Training on the judging page: one's own ratings beside the right ones.
//
//   compareRatings(root, content, {outputs: [{text, ratings: {criterion: {own, gold}}}], note, score})

function compareRatings(root, content, { outputs, note, score }) {
  root.append(h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`));
  const given = new Map(outputs.map(({ text, ratings }) => [text, ratings]));
  if (note) root.append(h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note));
  for (const { name, title, labels } of content.criteria) {
    const rows = content.outputs.flatMap(({ label, text }) => {
      const rating = given.get(text)?.[name];
      return rating ? [row(label, text, rating, labels)] : [];
    });
    if (!rows.length) continue;
    const heads = ["Sentence", "You", "We"].map((head) => h("th", { scope: "col" }, head));
    root.append(
      h("table", { class: "ratings" },
        h("caption", {}, title),
        h("thead", {}, h("tr", {}, heads)),
        h("tbody", {}, rows)),
    );
  }
}

function row(label, text, { own, gold }, labels) {
  const far = Math.abs(own - gold);
  const signs = ["as ours", "one step off"];
  const cell = (value) => h("td", {}, h("strong", {}, value), " ", labels[value - 1]);
  const mine = cell(own);
  mine.append(h("span", { class: "sign" }, ` (${signs[far] || `${far} steps off`})`));
  return h(
    "tr",
    { class: far === 0 ? "right" : far === 1 ? "near" : "wrong" },
    h("th", { scope: "row" }, h("b", {}, label), " ", h("span", { dir: direction(text) }, text)),
    mine,
    cell(gold),
  );
}
