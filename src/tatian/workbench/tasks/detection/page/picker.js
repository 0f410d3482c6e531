// The text of the detection page, with links marked. The selection is one sequence of words.
//
//   const picker = new Picker({text, label, readonly, describe, onchange, onenter})
//     text      is divided into pieces shorter than words, so that a term can leave out an ending or
//               a part of a compound
//     describe  as for Marker;  onchange(span | null) after each selection;  onenter() on Enter
//   picker.span   {start, end} of the selection, or null;   picker.pick(span)  selects it
//   picker.joined = Set(indices) and picker.refresh()   words whose link continues from the one before

import { isComposing } from "../../core/dom.js";
import { Marker, range } from "../../core/marker.js";
import { indicesWithin } from "../../core/text.js";
import { Text } from "./rules.js";

export class Picker extends Marker {
  constructor({ text, label, readonly, describe, onchange, onenter }) {
    super({ text, label, readonly, describe, onchange: () => onchange(this.span) });
    this.onenter = onenter;
  }

  build(label) {
    this.joined = new Set();
    this.words = new Text(this.text).units;
    return super.build(label);
  }

  get span() {
    const chosen = [...this.chosen].sort((a, b) => a - b);
    if (!chosen.length) return null;
    return { start: this.words[chosen[0]].start, end: this.words[chosen.at(-1)].end };
  }

  pick(span) {
    this.anchor = null;
    this.choose(span ? indicesWithin(this.words, [span]) : []);
    const first = Math.min(...this.chosen);
    if (Number.isFinite(first)) this.moveCursor(first);
  }

  gapClass(next, name) {
    const isLinked = this.joined.has(next);
    const unlinkedName = name.replace(/ linked\b/, "");
    return isLinked ? `${unlinkedName} linked` : unlinkedName;
  }

  setMarked(indices, isOn) {
    const next = this.nextSelection(indices, isOn);
    this.chosen = new Set(next);
    this.refresh();
    this.onchange(this.chosen);
  }

  // Words that are not next to the selection start a new one.
  nextSelection(indices, isOn) {
    if (this.moving) {
      this.anchor ??= this.moving.from;
      return range(this.anchor, this.cursor);
    }
    this.anchor = null;
    if (isOn) {
      const extended = new Set([...this.chosen, ...indices]);
      return isStretch(extended) ? extended : indices;
    }
    const remaining = [...this.chosen].filter((index) => !indices.includes(index));
    return indices.length === 1 && isStretch(remaining) ? remaining : indices;
  }

  onKey(event) {
    const hasNoModifier = !event.ctrlKey && !event.metaKey && !event.altKey && !isComposing(event);
    if (hasNoModifier && event.key === "Enter") {
      event.preventDefault();
      if (!this.chosen.size) this.setMarked([this.cursor], true);
      this.onenter();
    } else if (hasNoModifier && event.key === "Escape") {
      event.preventDefault();
      this.anchor = null;
      this.choose([]);
      this.onchange(this.chosen);
    } else {
      this.moving = event.shiftKey ? { from: this.cursor } : null;
      super.onKey(event);
      this.moving = null;
    }
  }

  preview(index) {
    this.dragging.to = index;
    this.chosen = new Set(range(this.dragging.from, index));
    this.refresh();
  }
}

function isStretch(indices) {
  const all = [...indices];
  return all.length > 0 ? Math.max(...all) - Math.min(...all) === all.length - 1 : true;
}
