// A claim in a conflict: letter and name of its source, and its sentence with the claim highlighted.
//
//   claimParts(reading, claim)   [name, sentence]: nodes with the source's name, and with the sentence

import { h } from "../core/dom.js";
import { units } from "./sourcepane.js";
import { named } from "./wording.js";

export function claimParts(reading, { document: source, start, end, text }) {
  const number = reading.view.index.get(source);
  const document = reading.view.documents[number];
  const [from, to] = document.sentences.find(([first, after]) => first <= start && start < after) || [start, end];
  const unit = units(document.text);
  const slice = (first, after) => document.text.slice(unit(first), unit(after)).replace(/\s/gu, " ");
  return [named(number, document), [slice(from, start), h("mark", { class: "claimed" }, slice(start, end) || text), slice(end, Math.max(end, to))]];
}
