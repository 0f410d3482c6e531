// Training on the union page: the gold answer beside one's own, with the differences marked.
//
//   compareAnswers(root, page, {gold, answer, score, note})

import { shown } from "../core/diff.js";
import { h } from "../core/dom.js";
import { Marker } from "../core/marker.js";
import { within, words } from "../core/text.js";
import { direction } from "../core/direction.js";
import { REASONS } from "./union-skip.js";

export function compareAnswers(root, page, { gold, answer, score, note }) {
  root.append(h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`));
  if (note) root.append(h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note));
  const both = gold.type === "written" && answer.type === "written";
  if (both && Number.isInteger(gold.base)) root.append(...compareHighlights(page, gold, answer));
  root.append(
    h("div", { class: "beside" }, said("Yours", "own", answer), said("Ours", "gold", gold)),
  );
  if (both) root.append(differences(answer.merged, gold.merged));
}

function said(title, name, answer) {
  const body =
    answer.type === "written"
      ? h("p", { class: "reading", dir: "auto" }, answer.merged)
      : h("p", {}, `Skipped. ${REASONS[answer.reason].join(". ")}`);
  return h("section", { class: `card ${name}` }, h("h3", {}, title), body);
}

function differences(own, right) {
  const labels = { removed: "only in yours", added: "only in ours" };
  return h(
    "section",
    { class: "card differences" },
    h("h3", {}, "From yours to ours"),
    h("p", { class: "reading", dir: direction(right) }, shown(own, right, labels)),
  );
}

function compareHighlights(page, gold, answer) {
  if (gold.base !== answer.base) {
    const bases = `You started from ${page.name(answer.base)}, we from ${page.name(gold.base)}`;
    return [h("p", {}, `${bases}: that is no mistake, but highlights cannot be compared then.`)];
  }
  const others = page.order.filter((id) => id !== gold.base);
  return [
    h("p", {}, `Both start from ${page.name(gold.base)}.`),
    ...others.map((id) => beside(page, id, gold, answer)),
  ];
}

function beside(page, id, gold, answer) {
  const text = page.sentences.get(id);
  const marks = ({ highlights = [] }) =>
    within(words(text), highlights.filter((highlight) => highlight.sentence === id));
  const own = marks(answer);
  const right = marks(gold);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, `${page.name(id)}: highlights`),
    h(
      "div",
      { class: "beside" },
      view("Yours", page.name(id), text, own, right),
      view("Ours", page.name(id), text, right, own),
    ),
  );
}

function view(title, name, text, chosen, other) {
  const marker = new Marker({
    text,
    label: `${title}: ${name}`,
    chosen,
    readonly: true,
    describe: (index) => {
      if (!chosen.has(index)) return null;
      if (other.has(index)) return { classes: ["green"], label: "highlighted in both" };
      return { classes: ["unknown"], label: `highlighted only in ${title.toLowerCase()}` };
    },
  });
  return h("section", {}, h("h3", {}, title), marker.node);
}
