// A text whose words can be marked with mouse, finger or keyboard.
//
//   const marker = new Marker({text, label, chosen, kind, readonly, describe, onchange})
//     text      shown with dir="auto"
//     label     name for screen readers
//     chosen    Set of the indices of marked words (see words in text.js)
//     kind      class of marked words: "new", "missing", "unfaithful", "redundant" ...
//     describe  (index, marker) => {classes: [..], label: string} | null: further marks of a word
//     onchange  called with the Set after each change
//   marker.node      the element
//   marker.words     [{start, end, text}]
//   marker.chosen    the Set; marker.choose(set) replaces it without calling onchange
//   marker.refresh() redraws words whose description has changed
//   marker.spans()   the marks as [{start, end}]
//   marker.focus()
//
// A click or tap toggles a word; dragging (sideways, on touch screens) does the same to all words
// it passes. Keys: arrows move, Home and End jump, Shift with an arrow marks while moving, Space or
// Enter toggles a word.

import { h, isComposing } from "./dom.js";
import { pieces, toSpans, words } from "./text.js";

export class Marker {
  constructor({ text, label, chosen, kind = "new", readonly = false, describe, onchange }) {
    this.text = text;
    this.words = words(text);
    this.chosen = new Set(chosen || []);
    this.kind = kind;
    this.readonly = readonly;
    this.describe = describe || (() => null);
    this.onchange = onchange || (() => {});
    this.cursor = 0;
    this.dragging = null;
    this.options = [];
    this.gaps = [];
    this.appearances = [];
    this.node = this.build(label);
    this.refresh();
  }

  build(label) {
    const role = this.readonly
      ? { role: "group" }
      : { role: "listbox", "aria-multiselectable": "true" };
    const node = h("div", { class: "words", dir: "auto", "aria-label": label, ...role });
    for (const piece of pieces(this.text, this.words)) {
      if (piece.word === null) {
        const gap = h("span", { class: "gap", "data-before": this.options.length }, piece.text);
        this.gaps.push({ gap, next: this.options.length });
        node.append(gap);
        continue;
      }
      const option = h("span", { class: "word", "data-word": piece.word }, piece.text);
      if (!this.readonly) option.setAttribute("role", "option");
      this.options.push(option);
      node.append(option);
    }
    if (this.readonly) return node;
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("focusin", (event) => this.moveCursor(this.indexOf(event.target)));
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.drag(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", () => this.cancelDrag());
    return node;
  }

  choose(chosen) {
    this.chosen = new Set(chosen);
    this.refresh();
  }

  spans() {
    return toSpans(this.text, this.words, this.chosen);
  }

  focus() {
    this.options[this.cursor]?.focus();
  }

  // Redraw only words that look different, as texts may be long.
  refresh() {
    this.options.forEach((option, index) => {
      const isOn = this.chosen.has(index);
      const extra = this.describe(index, this);
      const classes = ["word", ...(isOn ? ["on", this.kind] : []), ...(extra?.classes || [])].join(" ");
      const label = extra?.label || "";
      const appearance = `${isOn} ${classes} ${label}`;
      if (this.appearances[index] === appearance) return;
      this.appearances[index] = appearance;
      this.drawWord(option, index, { on: isOn, classes, label });
    });
    for (const { gap, next } of this.gaps) {
      const isJoined = this.chosen.has(next - 1) && this.chosen.has(next);
      const name = isJoined ? this.options[next].className : "";
      const shared = isJoined && this.options[next - 1].className === name ? name : "";
      const className = this.gapClass(next, shared.replace("word", "gap") || "gap");
      if (gap.className !== className) gap.className = className;
    }
  }

  gapClass(next, name) {
    return name;
  }

  drawWord(option, index, { on: isOn, classes, label }) {
    option.className = classes;
    if (!this.readonly) {
      option.setAttribute("aria-selected", String(isOn));
      option.tabIndex = index === this.cursor ? 0 : -1;
    }
    const named = label ? `${this.words[index].text}, ${label}` : null;
    if (named) option.setAttribute("aria-label", named);
    else option.removeAttribute("aria-label");
    if (this.readonly) option.role = named ? "note" : null;
    if (option.title !== label) option.title = label;
  }

  indexOf(target) {
    const option = target instanceof Element ? target.closest(".word") : null;
    return option && this.node.contains(option) ? Number(option.dataset.word) : null;
  }

  moveCursor(index) {
    if (index === null || index === this.cursor) return;
    this.options[this.cursor].tabIndex = -1;
    this.cursor = index;
    this.options[index].tabIndex = 0;
  }

  setMarked(indices, isOn) {
    const before = this.chosen.size;
    for (const index of indices) {
      if (isOn) this.chosen.add(index);
      else this.chosen.delete(index);
    }
    if (before === this.chosen.size) return;
    this.refresh();
    this.onchange(this.chosen);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
    const rtl = getComputedStyle(this.node).direction === "rtl";
    const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, ArrowDown: 1, ArrowUp: -1 };
    const last = this.options.length - 1;
    const edge = { Home: 0, End: last }[event.key];
    if (event.key === " " || event.key === "Enter") {
      this.setMarked([this.cursor], !this.chosen.has(this.cursor));
    } else if (event.key in steps || edge !== undefined) {
      const from = this.cursor;
      const to = edge ?? Math.min(last, Math.max(0, from + steps[event.key]));
      this.options[to]?.focus();
      if (event.shiftKey) this.setMarked(range(from, to), true);
    } else {
      return;
    }
    event.preventDefault();
  }

  press(event) {
    const index = this.indexOf(event.target);
    if (index === null || event.button !== 0) return;
    this.dragging = { from: index, before: new Set(this.chosen), on: !this.chosen.has(index) };
    if (event.pointerType !== "touch") event.preventDefault();
    this.node.setPointerCapture(event.pointerId);
    this.options[index].focus({ preventScroll: true });
  }

  drag(event) {
    if (!this.dragging || event.buttons === 0) return;
    const index = this.indexOf(document.elementFromPoint(event.clientX, event.clientY));
    if (index === null || (index === this.dragging.from && !this.dragging.moved)) return;
    this.dragging.moved = true;
    this.preview(index);
  }

  release(event) {
    if (!this.dragging) return;
    const index = this.indexOf(document.elementFromPoint(event.clientX, event.clientY));
    const { from, before, on: isOn } = this.dragging;
    const to = index ?? this.dragging.to ?? from;
    this.dragging = null;
    this.chosen = before;
    this.setMarked(range(from, to), isOn);
    this.refresh();
  }

  cancelDrag() {
    if (!this.dragging) return;
    this.chosen = this.dragging.before;
    this.dragging = null;
    this.refresh();
  }

  preview(index) {
    this.dragging.to = index;
    this.chosen = new Set(this.dragging.before);
    for (const word of range(this.dragging.from, index)) {
      if (this.dragging.on) this.chosen.add(word);
      else this.chosen.delete(word);
    }
    this.refresh();
  }
}

// The indices from one to another, in either order.
export function range(from, to) {
  const low = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => low + index);
}
