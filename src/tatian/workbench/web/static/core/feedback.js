// Parts of the feedback that tasks show in training.
//
//   scoreLines(score, note, label)   the score of an answer, and the reason for the right answer
//   tableHead(names)                 the head of a table, with a column for each name

import { h } from "./dom.js";

export function scoreLines(score, note, label = "Agreement with ours") {
  const line = h("p", {}, `${label}: ${Math.round(score * 100)} of 100.`);
  return note ? [line, h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note)] : [line];
}

export function tableHead(names) {
  return h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));
}
