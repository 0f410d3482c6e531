// The texts of the judging page: unions compared with the reference, and what the colours mean.

import { shown } from "../../core/diff.js";
import { h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";

export function compared(base, reference, text) {
  if (!text) return h("em", {}, "This system wrote nothing.");
  if (base === "reference") return shown(reference, text, { removed: "missing", added: "added" });
  if (base === "output") return shown(reference, text, { removed: null, added: "not in the reference" });
  return text;
}

export function quoted(title, text) {
  const heading = unique("quoted");
  return h(
    "section",
    { class: "card reference", "aria-labelledby": heading },
    h("h3", { id: heading }, title),
    h("p", { class: "reading", dir: direction(text) }, text),
  );
}

export function sources(sentences) {
  return h(
    "details",
    { class: "sources" },
    h("summary", {}, "The sentences that were merged"),
    h("ol", {}, sentences.map((sentence) => h("li", { dir: direction(sentence) }, sentence))),
  );
}

export function legend(base) {
  const added = [h("ins", {}, "green"), ": in the sentence, not in the reference"];
  if (base === "output") return h("p", { class: "legend" }, added);
  return h("p", { class: "legend" }, h("del", {}, "red"), ": in the reference, not in the sentence; ", added);
}
