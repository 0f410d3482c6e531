// Feedback of the union page: the gold base, highlights and union beside the person's.
//
//   compareAnswers(root, page, {gold, answer, score, note})
//
// Highlights are compared word by word if both answers have the same base; otherwise both are shown
// as they are.

import { renderDiff } from "../../core/diff.js";
import { direction } from "../../core/direction.js";
import { h } from "../../core/dom.js";
import { scoreLines } from "../../core/feedback.js";
import { Marker } from "../../core/marker.js";
import { characters, indicesWithin, toSpans, words } from "../../core/text.js";
import { legend } from "./highlight.js";
import { REASONS } from "./skip.js";

const SIGNS = [
  ["on green", "highlighted in both"],
  ["on", "missing in yours"],
  ["on unknown", "only in yours"],
];
const HIGHLIGHTED = [["on", "highlighted"]];

export function compareAnswers(root, page, { gold, answer, score, note }) {
  root.append(...scoreLines(score, note));
  const both = isWritten(gold) && isWritten(answer);
  root.append(...(both ? compareUnions(page, gold, answer) : [showSeparately(page, gold, answer)]));
}

function isWritten({ type }) {
  return type === "written";
}

// Gold of published data has neither base nor highlights.
function hasBase({ base }) {
  return Number.isInteger(base);
}

// Two unions: highlights sentence by sentence, then the merged sentences.
function compareUnions(page, gold, answer) {
  const merged = (side, name, { merged: text }) =>
    h("section", { class: name }, h("h4", {}, side), paragraph(text));
  return [
    ...(hasBase(gold) ? sentences(page, gold, answer) : []),
    card(
      "Merged sentence",
      h("div", { class: "beside" }, merged("Yours", "own", answer), merged("Ours", "gold", gold)),
    ),
    mergedDiff(answer.merged, gold.merged),
  ];
}

function sentences(page, gold, answer) {
  const isSameBase = gold.base === answer.base;
  const [own, right] = [page.name(answer.base), page.name(gold.base)];
  const message = isSameBase
    ? `Both start from ${right}.`
    : `The base differs: you started from ${own}, we from ${right}. That is no mistake, but ` +
      "other words are new then: compare the merged sentences.";
  return [
    h("p", { class: "bases" }, message),
    ...page.order.map((id) => sentenceRow(page, id, gold, answer, isSameBase)),
    legend(...(isSameBase ? SIGNS : HIGHLIGHTED)),
  ];
}

function sentenceRow(page, id, gold, answer, isSameBase) {
  const text = page.sentences.get(id);
  if (isSameBase && id === gold.base) return card(`${page.name(id)}: the base of both`, paragraph(text));
  const [own, right] = [highlightedIndices(text, id, answer), highlightedIndices(text, id, gold)];
  const cell = (side, { base }, marks, describe) =>
    h(
      "section",
      {},
      h("h4", {}, id === base ? `${side}: the base` : side),
      id === base ? paragraph(text) : highlightedText(`${side}: ${page.name(id)}`, text, marks, describe),
    );
  const signs = (other, alone) => (index) => (other.has(index) ? SIGNS[0] : alone);
  return card(
    page.name(id),
    h(
      "div",
      { class: "beside" },
      cell("Yours", answer, own, isSameBase && signs(right, SIGNS[2])),
      cell("Ours", gold, right, isSameBase && signs(own, SIGNS[1])),
    ),
    isSameBase ? highlightVerdict(text, own, right) : null,
  );
}

// Two answers of which at least one is a skip: each in full.
function showSeparately(page, gold, answer) {
  const side = (title, name, answer) =>
    h(
      "section",
      { class: `card ${name}` },
      h("h3", {}, title),
      isWritten(answer) ? showUnion(page, title, answer) : skipped(answer),
    );
  return h("div", { class: "beside" }, side("Yours", "own", answer), side("Ours", "gold", gold));
}

function skipped({ reason }) {
  return h("p", {}, ["Skipped", ...REASONS[reason]].join(". "));
}

function showUnion(page, title, answer) {
  const step = (id) => {
    const text = page.sentences.get(id);
    if (id === answer.base) return [h("h4", {}, `${page.name(id)}: the base`), paragraph(text)];
    const marks = highlightedIndices(text, id, answer);
    return [h("h4", {}, page.name(id)), highlightedText(`${title}: ${page.name(id)}`, text, marks)];
  };
  return [
    hasBase(answer) ? [page.order.map(step), legend(...HIGHLIGHTED)] : null,
    h("h4", {}, "Merged sentence"),
    paragraph(answer.merged),
  ];
}

function highlightedIndices(text, id, { highlights: all = [] }) {
  return indicesWithin(words(text), all.filter(({ sentence }) => sentence === id));
}

function highlightedText(label, text, marks, signOf) {
  const describe = (index) => {
    if (!marks.has(index)) return null;
    const [classes, message] = (signOf || (() => HIGHLIGHTED[0]))(index);
    return { classes: classes.split(" ").slice(1), label: message };
  };
  const { node } = new Marker({ text, label, chosen: marks, readonly: true, describe });
  return [node, marks.size ? null : h("p", { class: "faint" }, "Nothing is highlighted.")];
}

// Lists of the highlighted words: in both, missing, and extra.
function highlightVerdict(text, own, right) {
  const difference = (some, others) => new Set([...some].filter((index) => !others.has(index)));
  const missing = difference(right, own);
  const extra = difference(own, right);
  if (!missing.size && !extra.size) return h("p", { class: "verdict" }, "✓ The same in both.");
  const lines = [
    ["✓ In both: ", difference(own, extra)],
    ["Missing in yours: ", missing],
    ["Only in yours: ", extra],
  ].filter(([, marks]) => marks.size);
  const quoted = (marks) =>
    toSpans(text, words(text), marks).flatMap(({ start, end }, place) => [
      place ? ", " : null,
      h("bdi", {}, `“${characters(text, start, end)}”`),
    ]);
  return h(
    "ul",
    { class: "verdict" },
    lines.map(([message, marks]) => h("li", {}, h("strong", {}, message), quoted(marks))),
  );
}

function mergedDiff(own, right) {
  const nodes = renderDiff(own, right, { removed: "only in yours", added: "only in ours" });
  const hasDifference = nodes.some((node) => node instanceof Element);
  return h(
    "section",
    { class: "card differences" },
    h("h3", {}, "From yours to ours"),
    hasDifference
      ? h("p", { class: "reading", dir: direction(right) }, nodes)
      : h("p", {}, "No difference."),
  );
}

function paragraph(text) {
  return h("p", { class: "reading", dir: "auto" }, text);
}

function card(title, ...children) {
  return h("section", { class: "card" }, h("h3", {}, title), children);
}
