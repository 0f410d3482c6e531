// Training on the judging page: one's own ratings beside the right ones.
//
//   compareRatings(root, content, {outputs: [{text, ratings: {criterion: {own, gold}}}], note, score})

import { h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";

export function compareRatings(root, content, { outputs, note, score }) {
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
