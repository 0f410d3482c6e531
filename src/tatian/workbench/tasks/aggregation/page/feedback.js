// Training on the aggregation page: one's own phrases beside the accepted ones.
//
//   comparePhrases(root, content, {gold: [phrase], own: [{phrase, worth}], note, score})

import { h } from "../../core/dom.js";

const WORTH = { 1: ["right", "✓ one of ours"], 0: ["wrong", "✗ not among ours"] };
const NEAR = ["near", "≈ near to one of ours"];

export function comparePhrases(root, { entities }, { gold, own, note, score }) {
  const names = entities.map(({ name }) => name).join(", ");
  root.append(
    h("p", { dir: "auto" }, h("strong", {}, "About: "), names),
    h("p", {}, `Worth of your answer: ${Math.round(score * 100)} of 100.`),
    h("h3", {}, "Your answer"),
    own.length
      ? h("ul", { class: "own" }, own.map(({ phrase, worth }) => verdict(phrase, WORTH[worth] || NEAR)))
      : h("ul", { class: "own" }, verdict("N/A", WORTH[gold.length ? 0 : 1])),
    h("h3", {}, gold.length > 1 ? "Phrases that we accept" : "Our answer"),
    h("ul", { class: "accepted" }, (gold.length ? gold : ["N/A"]).map((phrase) => h("li", { dir: "auto" }, phrase))),
    note ? h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note) : "",
  );
}

function verdict(phrase, [name, sign]) {
  return h("li", { class: name }, h("bdi", {}, phrase), h("span", { class: "sign" }, ` ${sign}`));
}
