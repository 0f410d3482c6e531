// The text of the detection page: one stretch of words is selected at a time, linked ones are marked.
//
//   const picker = new Picker({text, label, readonly, describe, onchange, onenter})
//     text      its pieces are finer than words, so that a term can leave out an ending or half of
//               a compound
//     describe  as of Marker;  onchange(span | null) after each selection;  onenter() on Enter
//   picker.span   {start, end} of the selection, or null;   picker.pick(span)  selects it
//   picker.joined = Set(indices) and picker.refresh()   words that a link goes on to from the one before

import { composing } from "../../core/dom.js";
import { Marker } from "../../core/marker.js";
import { within } from "../../core/text.js";
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
    this.choose(span ? within(this.words, [span]) : []);
    const first = Math.min(...this.chosen);
    if (Number.isFinite(first)) this.visit(first);
  }

  gapClass(next, name) {
    const linked = this.joined.has(next);
    const bare = name.replace(/ linked\b/, "");
    return linked ? `${bare} linked` : bare;
  }

  set(indices, on) {
    const next = this.next(indices, on);
    this.chosen = new Set(next);
    this.refresh();
    this.onchange(this.chosen);
  }

  // A selection is one stretch: what is not next to it begins another.
  next(indices, on) {
    if (this.moving) {
      this.anchor ??= this.moving.from;
      return range(this.anchor, this.at);
    }
    this.anchor = null;
    if (on) {
      const together = new Set([...this.chosen, ...indices]);
      return isStretch(together) ? together : indices;
    }
    const left = [...this.chosen].filter((index) => !indices.includes(index));
    return indices.length === 1 && isStretch(left) ? left : indices;
  }

  key(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !composing(event);
    if (plain && event.key === "Enter") {
      event.preventDefault();
      if (!this.chosen.size) this.set([this.at], true);
      this.onenter();
    } else if (plain && event.key === "Escape") {
      event.preventDefault();
      this.anchor = null;
      this.choose([]);
      this.onchange(this.chosen);
    } else {
      this.moving = event.shiftKey ? { from: this.at } : null;
      super.key(event);
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

function range(from, to) {
  const low = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => low + index);
}
