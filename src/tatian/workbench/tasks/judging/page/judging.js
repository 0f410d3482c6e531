// Rate several unions under letters, one criterion after the other, without knowing their systems.
//
// The draft is {ratings: {criterion: [1..n or null, as the unions are shown]}, page}.

import { button, fill, h, isComposing, unique } from "../../core/dom.js";
import { renderDiff } from "../../core/diff.js";
import { direction } from "../../core/direction.js";
import { scoreLines, tableHead } from "../../core/feedback.js";

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
    this.onKeydown = (event) => this.onKey(event);
    document.addEventListener("keydown", this.onKeydown);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKeydown);
  }

  get criterion() {
    return this.content.criteria[this.page];
  }

  get isLastPage() {
    return this.page === this.content.criteria.length - 1;
  }

  state() {
    return { ratings: structuredClone(this.ratings), page: this.page };
  }

  restore(state) {
    const { criteria, outputs } = this.content;
    this.ratings = {};
    for (const { name, labels } of criteria) {
      const ratingsByText = state?.ratings?.[name] || [];
      this.ratings[name] = outputs.map((_, index) => validRating(ratingsByText[index], labels.length));
    }
    this.page = Math.min(Math.max(0, Number(state?.page) || 0), criteria.length - 1);
    this.current = 0;
    this.draw();
  }

  answer() {
    return { ratings: structuredClone(this.ratings) };
  }

  ready() {
    return this.isLastPage || this.problems().length === 0;
  }

  problems() {
    return this.content.criteria.flatMap((criterion) => {
      const unrated = this.unratedLabels(criterion.name);
      return unrated.length ? [`${criterion.title}: rate ${joinList(unrated)}.`] : [];
    });
  }

  unratedLabels(name) {
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
      this.buildSteps(),
      this.heading,
      h("p", { class: "asked" }, question),
      sentences.length ? sources(sentences) : null,
      base === null ? null : quotedText("Reference", reference),
      h("section", { class: "scale", "aria-label": "What the ratings mean" },
        h("ol", {}, labels.map((label) => h("li", {}, label)))),
      base === null ? null : legend(base),
      h("div", { class: "outputs" }, this.rows.map(({ node }) => node)),
      this.pageButtons(),
    );
  }

  buildSteps() {
    const step = (criterion, index) => {
      const unrated = this.unratedLabels(criterion.name).length;
      const total = this.content.outputs.length;
      const current = index === this.page ? { "aria-current": "step" } : {};
      return h(
        "li",
        { class: unrated ? null : "done" },
        button([criterion.title, h("small", {}, ` ${total - unrated} of ${total}`)], () => this.turnTo(index), current),
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
      { class: "card output", "aria-labelledby": heading, onfocusin: () => (this.current = index) },
      h("h3", { id: heading }, h("span", { class: "unseen" }, "Sentence "), label),
      h("p", { class: "reading", dir: direction(text) }, renderText(base, this.content.reference, text)),
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

  pageButtons() {
    if (this.readonly && this.content.criteria.length === 1) return null;
    const previous = this.content.criteria[this.page - 1];
    const next = this.content.criteria[this.page + 1];
    return h(
      "div",
      { class: "actions turning" },
      previous ? button(`Back to ${previous.title.toLowerCase()}`, () => this.turnTo(this.page - 1)) : null,
      next ? button(`Next: ${next.title.toLowerCase()}`, () => this.next(), { class: "primary" }) : null,
    );
  }

  rate(index, value) {
    const { name, labels } = this.criterion;
    if (this.readonly || value < 1 || value > labels.length) return;
    this.ratings[name][index] = value;
    this.rows[index].radios[value - 1].checked = true;
    this.rows[index].meaning.textContent = this.meaning(index);
    this.nav.replaceWith(this.buildSteps());
    this.context.announce(`Sentence ${this.content.outputs[index].label}: ${value}, ${this.meaning(index)}`);
    this.context.changed();
  }

  turnTo(page) {
    if (page < 0 || page >= this.content.criteria.length || page === this.page) return;
    this.page = page;
    this.current = 0;
    this.draw();
    if (!this.readonly) this.context.changed();
    this.heading.focus();
    this.heading.scrollIntoView({ block: "nearest" });
  }

  next() {
    const unrated = this.unratedLabels(this.criterion.name);
    if (unrated.length) {
      this.context.announce(`Rate ${joinList(unrated)} first.`);
      this.focusRow(this.content.outputs.findIndex(({ label }) => label === unrated[0]));
    } else if (!this.isLastPage) this.turnTo(this.page + 1);
    else if (!this.readonly) this.context.submit();
  }

  focusRow(index) {
    const row = this.rows[index];
    if (!row) return;
    this.current = index;
    (row.radios.find((radio) => radio.checked) || row.radios[0]).focus();
    row.node.scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isComposing(event)) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]") || target.closest("textarea, select")) return;
    const inside = target.closest(".output");
    const isOutside = target !== document.body && !target.closest("main");
    if (/^[1-9]$/.test(key)) {
      this.rate(this.current, Number(key));
      this.focusRow(this.current);
    } else if (isOutside) return;
    else if (key === "ArrowDown" || key === "ArrowUp") {
      this.focusRow(inside ? this.current + (key === "ArrowDown" ? 1 : -1) : this.current);
    } else if (key === "Enter") {
      if (target.closest("button, a, summary")) return;
      this.next();
    } else if (key === "PageDown") this.turnTo(this.page + 1);
    else if (key === "PageUp") this.turnTo(this.page - 1);
    else return;
    event.preventDefault();
  }

  feedback(root, feedback) {
    this.destroy();
    compareRatings(root, this.content, feedback);
  }
}

function validRating(value, most) {
  return Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

function joinList(labels) {
  const last = labels.at(-1);
  return labels.length > 1 ? `${labels.slice(0, -1).join(", ")} and ${last}` : last;
}

function renderText(base, reference, text) {
  if (!text) return h("em", {}, "This system wrote nothing.");
  if (base === "reference") return renderDiff(reference, text, { removed: "missing", added: "added" });
  if (base === "output") return renderDiff(reference, text, { removed: null, added: "not in the reference" });
  return text;
}

function quotedText(title, text) {
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

// Feedback: the person's ratings beside the right ones.
//
//   compareRatings(root, content, {outputs: [{text, ratings: {criterion: {own, gold}}}], note, score})

function compareRatings(root, content, { outputs, note, score }) {
  root.append(...scoreLines(score, note));
  const ratingsByText = new Map(outputs.map(({ text, ratings }) => [text, ratings]));
  for (const { name, title, labels } of content.criteria) {
    const rows = content.outputs.flatMap(({ label, text }) => {
      const rating = ratingsByText.get(text)?.[name];
      return rating ? [row(label, text, rating, labels)] : [];
    });
    if (!rows.length) continue;
    root.append(
      h("table", { class: "ratings" },
        h("caption", {}, title),
        tableHead(["Sentence", "You", "We"]),
        h("tbody", {}, rows)),
    );
  }
}

function row(label, text, { own, gold }, labels) {
  const distance = Math.abs(own - gold);
  const signs = ["as ours", "one step off"];
  const cell = (value) => h("td", {}, h("strong", {}, value), " ", labels[value - 1]);
  const ownCell = cell(own);
  ownCell.append(h("span", { class: "sign" }, ` (${signs[distance] || `${distance} steps off`})`));
  return h(
    "tr",
    { class: distance === 0 ? "right" : distance === 1 ? "near" : "wrong" },
    h("th", { scope: "row" }, h("b", {}, label), " ", h("span", { dir: direction(text) }, text)),
    ownCell,
    cell(gold),
  );
}
