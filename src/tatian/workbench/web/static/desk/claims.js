// A claim of a source in a conflict: its letter, its name, and its sentence with the claim lit.
//
//   claimed(reading, claim)   [who, sentence]: nodes that name the source, and the sentence

import { h } from "../core/dom.js";
import { units } from "./beside.js";
import { named } from "./wording.js";

export function claimed(reading, { document: source, start, end, text }) {
  const place = reading.view.index.get(source);
  const document = reading.view.documents[place];
  const [from, to] = document.sentences.find(([first, after]) => first <= start && start < after) || [start, end];
  const unit = units(document.text);
  const said = (one, other) => document.text.slice(unit(one), unit(other)).replace(/\s/gu, " ");
  return [named(place, document), [said(from, start), h("mark", { class: "claimed" }, said(start, end) || text), said(end, Math.max(end, to))]];
}
