// Training on the union page: the gold base, highlights and union beside one's own.
//
//   compareAnswers(root, page, {gold, answer, score, note})
//
// Where both start from the same base their highlights are compared word by word; otherwise what is
// new is something else in each, and both are shown as they are.

import { shown } from "../../core/diff.js";
import { direction } from "../../core/direction.js";
import { h } from "../../core/dom.js";
import { Marker } from "../../core/marker.js";
import { part, stretches, within, words } from "../../core/text.js";
import { legend } from "./highlight.js";
import { REASONS } from "./skip.js";

const SIGNS = [
  ["on green", "highlighted in both"],
  ["on", "missing in yours"],
  ["on unknown", "only in yours"],
];
const HIGHLIGHTED = [["on", "highlighted"]];

export function compareAnswers(root, page, { gold, answer, score, note }) {
  root.append(h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`));
  if (note) root.append(h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note));
  const both = written(gold) && written(answer);
  root.append(...(both ? unions(page, gold, answer) : [apart(page, gold, answer)]));
}

function written({ type }) {
  return type === "written";
}

// Gold of published data has neither base nor highlights.
function based({ base }) {
  return Number.isInteger(base);
}

// Two unions: sentence by sentence, then what was made of them.
function unions(page, gold, answer) {
  const merged = (side, name, { merged: text }) =>
    h("section", { class: name }, h("h4", {}, side), reading(text));
  return [
    ...(based(gold) ? sentences(page, gold, answer) : []),
    card(
      "Merged sentence",
      h("div", { class: "beside" }, merged("Yours", "own", answer), merged("Ours", "gold", gold)),
    ),
    differences(answer.merged, gold.merged),
  ];
}

function sentences(page, gold, answer) {
  const same = gold.base === answer.base;
  const [own, right] = [page.name(answer.base), page.name(gold.base)];
  const said = same
    ? `Both start from ${right}.`
    : `The base differs: you started from ${own}, we from ${right}. That is no mistake, but ` +
      "other words are new then: compare the merged sentences.";
  return [
    h("p", { class: "bases" }, said),
    ...page.order.map((id) => row(page, id, gold, answer, same)),
    legend(...(same ? SIGNS : HIGHLIGHTED)),
  ];
}

function row(page, id, gold, answer, same) {
  const text = page.sentences.get(id);
  if (same && id === gold.base) return card(`${page.name(id)}: the base of both`, reading(text));
  const [own, right] = [chosen(text, id, answer), chosen(text, id, gold)];
  const cell = (side, { base }, marks, describe) =>
    h(
      "section",
      {},
      h("h4", {}, id === base ? `${side}: the base` : side),
      id === base ? reading(text) : highlights(`${side}: ${page.name(id)}`, text, marks, describe),
    );
  const signs = (other, alone) => (index) => (other.has(index) ? SIGNS[0] : alone);
  return card(
    page.name(id),
    h(
      "div",
      { class: "beside" },
      cell("Yours", answer, own, same && signs(right, SIGNS[2])),
      cell("Ours", gold, right, same && signs(own, SIGNS[1])),
    ),
    same ? verdict(text, own, right) : null,
  );
}

// A union against none: each in full.
function apart(page, gold, answer) {
  const side = (title, name, one) =>
    h(
      "section",
      { class: `card ${name}` },
      h("h3", {}, title),
      written(one) ? steps(page, title, one) : skipped(one),
    );
  return h("div", { class: "beside" }, side("Yours", "own", answer), side("Ours", "gold", gold));
}

function skipped({ reason }) {
  return h("p", {}, ["Skipped", ...REASONS[reason]].join(". "));
}

function steps(page, title, one) {
  const step = (id) => {
    const text = page.sentences.get(id);
    if (id === one.base) return [h("h4", {}, `${page.name(id)}: the base`), reading(text)];
    const marks = chosen(text, id, one);
    return [h("h4", {}, page.name(id)), highlights(`${title}: ${page.name(id)}`, text, marks)];
  };
  return [
    based(one) ? [page.order.map(step), legend(...HIGHLIGHTED)] : null,
    h("h4", {}, "Merged sentence"),
    reading(one.merged),
  ];
}

function chosen(text, id, { highlights: all = [] }) {
  return within(words(text), all.filter(({ sentence }) => sentence === id));
}

function highlights(label, text, marks, signOf) {
  const describe = (index) => {
    if (!marks.has(index)) return null;
    const [classes, said] = (signOf || (() => HIGHLIGHTED[0]))(index);
    return { classes: classes.split(" ").slice(1), label: said };
  };
  const { node } = new Marker({ text, label, chosen: marks, readonly: true, describe });
  return [node, marks.size ? null : h("p", { class: "faint" }, "Nothing is highlighted.")];
}

// The same in words: which are right, which are missing, which are too many.
function verdict(text, own, right) {
  const only = (some, others) => new Set([...some].filter((index) => !others.has(index)));
  const missing = only(right, own);
  const extra = only(own, right);
  if (!missing.size && !extra.size) return h("p", { class: "verdict" }, "✓ The same in both.");
  const lines = [
    ["✓ In both: ", only(own, extra)],
    ["Missing in yours: ", missing],
    ["Only in yours: ", extra],
  ].filter(([, marks]) => marks.size);
  const quoted = (marks) =>
    stretches(text, words(text), marks).flatMap(({ start, end }, place) => [
      place ? ", " : null,
      h("bdi", {}, `“${part(text, start, end)}”`),
    ]);
  return h(
    "ul",
    { class: "verdict" },
    lines.map(([said, marks]) => h("li", {}, h("strong", {}, said), quoted(marks))),
  );
}

function differences(own, right) {
  const nodes = shown(own, right, { removed: "only in yours", added: "only in ours" });
  const any = nodes.some((node) => node instanceof Element);
  return h(
    "section",
    { class: "card differences" },
    h("h3", {}, "From yours to ours"),
    any
      ? h("p", { class: "reading", dir: direction(right) }, nodes)
      : h("p", {}, "No difference."),
  );
}

function reading(text) {
  return h("p", { class: "reading", dir: "auto" }, text);
}

function card(title, ...children) {
  return h("section", { class: "card" }, h("h3", {}, title), children);
}
