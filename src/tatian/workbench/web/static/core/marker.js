// A text whose words can be marked with mouse, finger or keyboard.
//
//   const marker = new Marker({text, label, chosen, kind, readonly, describe, onchange})
//     text      shown with dir="auto"
//     label     its name for screen readers
//     chosen    Set of the indices of marked words (see text.js: words)
//     kind      a class for marked words: "new", "missing", "unfaithful", "redundant" ...
//     describe  (index, marker) => {classes: [..], label: string} | null: more signs on a word
//     onchange  called with the Set after each change
//   marker.node      the element to put on the page
//   marker.words     [{start, end, text}]
//   marker.chosen    the Set; marker.choose(set) replaces it without calling onchange
//   marker.refresh() draw again after what `describe` says has changed
//   marker.spans()   the marks as [{start, end}]
//   marker.focus()
//
// A click or tap turns a word on or off; dragging (sideways, on touch screens) does the same to all
// words it passes. Keys: arrows move, Home and End jump, Shift with an arrow marks while moving,
// Space or Enter turns a word on or off.

import { composing, h } from "./dom.js";
import { pieces, stretches, words } from "./text.js";

export class Marker {
  constructor({ text, label, chosen, kind = "new", readonly = false, describe, onchange }) {
    this.text = text;
    this.words = words(text);
    this.chosen = new Set(chosen || []);
    this.kind = kind;
    this.readonly = readonly;
    this.describe = describe || (() => null);
    this.onchange = onchange || (() => {});
    this.at = 0;
    this.dragging = null;
    this.options = [];
    this.gaps = [];
    this.signs = [];
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
    node.addEventListener("keydown", (event) => this.key(event));
    node.addEventListener("focusin", (event) => this.visit(this.indexOf(event.target)));
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.drag(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", () => this.abandon());
    return node;
  }

  choose(chosen) {
    this.chosen = new Set(chosen);
    this.refresh();
  }

  spans() {
    return stretches(this.text, this.words, this.chosen);
  }

  focus() {
    this.options[this.at]?.focus();
  }

  // Only words that look different from before are touched, so that long texts stay quick.
  refresh() {
    this.options.forEach((option, index) => {
      const on = this.chosen.has(index);
      const more = this.describe(index, this);
      const classes = ["word", ...(on ? ["on", this.kind] : []), ...(more?.classes || [])].join(" ");
      const label = more?.label || "";
      const sign = `${on} ${classes} ${label}`;
      if (this.signs[index] === sign) return;
      this.signs[index] = sign;
      this.draw(option, index, { on, classes, label });
    });
    for (const { gap, next } of this.gaps) {
      const joined = this.chosen.has(next - 1) && this.chosen.has(next);
      const name = joined ? this.options[next].className : "";
      const shared = joined && this.options[next - 1].className === name ? name : "";
      const drawn = this.gapClass(next, shared.replace("word", "gap") || "gap");
      if (gap.className !== drawn) gap.className = drawn;
    }
  }

  gapClass(next, name) {
    return name;
  }

  draw(option, index, { on, classes, label }) {
    option.className = classes;
    if (!this.readonly) {
      option.setAttribute("aria-selected", String(on));
      option.tabIndex = index === this.at ? 0 : -1;
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

  visit(index) {
    if (index === null || index === this.at) return;
    this.options[this.at].tabIndex = -1;
    this.at = index;
    this.options[index].tabIndex = 0;
  }

  set(indices, on) {
    const before = this.chosen.size;
    for (const index of indices) {
      if (on) this.chosen.add(index);
      else this.chosen.delete(index);
    }
    if (before === this.chosen.size) return;
    this.refresh();
    this.onchange(this.chosen);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || composing(event)) return;
    const rtl = getComputedStyle(this.node).direction === "rtl";
    const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, ArrowDown: 1, ArrowUp: -1 };
    const last = this.options.length - 1;
    const place = { Home: 0, End: last }[event.key];
    if (event.key === " " || event.key === "Enter") {
      this.set([this.at], !this.chosen.has(this.at));
    } else if (event.key in steps || place !== undefined) {
      const from = this.at;
      const to = place ?? Math.min(last, Math.max(0, from + steps[event.key]));
      this.options[to]?.focus();
      if (event.shiftKey) this.set(range(from, to), true);
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
    const { from, before, on } = this.dragging;
    const to = index ?? this.dragging.to ?? from;
    this.dragging = null;
    this.chosen = before;
    this.set(range(from, to), on);
    this.refresh();
  }

  abandon() {
    if (!this.dragging) return;
    this.chosen = this.dragging.before;
    this.dragging = null;
    this.refresh();
  }

  preview(index) {
    this.dragging.to = index;
    this.chosen = new Set(this.dragging.before);
    for (const each of range(this.dragging.from, index)) {
      if (this.dragging.on) this.chosen.add(each);
      else this.chosen.delete(each);
    }
    this.refresh();
  }
}

function range(from, to) {
  const low = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => low + index);
}
