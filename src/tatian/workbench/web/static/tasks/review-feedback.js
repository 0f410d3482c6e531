// Training on the review page: one's own verdicts beside the right ones.
//
//   compareReviews(root, content, sources, {gold, answer, right: [bool], score})

import { h } from "../core/dom.js";
import { direction } from "../core/direction.js";
import { REASONS, SAID, marked } from "./review-sources.js";

export function compareReviews(root, content, sources, { gold, answer, right, score }) {
  const rows = content.sentences.map(({ text }, index) =>
    row(index, text, answer.sentences[index], gold.sentences[index], right[index]));
  root.append(...[
    h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`),
    gold.note ? h("p", { class: "note", dir: "auto" }, gold.note) : null,
    h("ol", { class: "review compared" }, rows),
    called(sources, gold.missing || [], answer.missing || []),
  ].filter(Boolean));
}

function row(index, text, own, gold, right) {
  const also = (gold.also || []).map((verdict) => SAID[verdict]);
  return h("li", { class: right ? "card right" : "card wrong" },
    h("h3", {}, `Sentence ${index + 1}: ${right ? "as ours" : "not as ours"}`),
    h("p", { class: "reading", dir: direction(text) }, text),
    h("p", { class: "own" }, h("b", {}, "You: "), said(text, own)),
    h("p", { class: "gold" }, h("b", {}, "We: "), said(text, gold),
      also.length ? h("span", { class: "faint" }, ` (${also.join(" or ")} is as good)`) : null),
    gold.why ? h("p", { dir: "auto" }, h("b", {}, "Why: "), gold.why) : null);
}

function said(text, one) {
  if (one.verdict === "edit") return ["edited: ", h("span", { dir: direction(text) }, marked(text, one.text))];
  const reason = REASONS.find(([name]) => name === one.reason);
  return reason ? `${SAID[one.verdict]}: ${reason[1].toLowerCase()}` : SAID[one.verdict];
}

function called(sources, gold, own) {
  const has = (list, place) => list.some((one) => one.document === place.document && one.sentence === place.number);
  const places = sources.places().filter((place) => has(gold, place) || has(own, place));
  if (!places.length) return null;
  return h("section", {},
    h("h2", {}, "Called back into the text"),
    h("ul", { class: "review compared" }, places.map((place) => {
      const [mine, ours] = [has(own, place), has(gold, place)];
      const told = mine && ours ? "by you and by us" : mine ? "only by you" : "only by us";
      return h("li", { class: mine && ours ? "card right" : "card wrong" },
        h("p", { class: "who" }, sources.name(place), ` · ${told}`),
        h("p", { class: "reading", dir: direction(place.text) }, place.text));
    })));
}
