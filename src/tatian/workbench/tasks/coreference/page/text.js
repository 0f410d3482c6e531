// The text of a document with its marked phrases: underlines, and brackets with the numbers of the
// chains. Overlapping phrases have underlines at different levels.
//
//   const view = new TextView({content, words, markup, label, readonly, on})
//     on.select(first, last)      words were chosen by dragging or with keys
//     on.press(index)             a click on a word      on.doubleClick(index)
//   view.node
//   view.sync(notes?)       draws the changes of the markup, nothing else
//   view.choose(from, to)   selects the words between two; `to` has the cursor
//   view.show(mention)      highlights the current mention and its chain; null: none
//   view.from  view.to      the selection       view.focus()   view.reveal(index)
//
// Every word is one element, created once. Only visible paragraphs are laid out (content-visibility),
// so that a change takes equally long in short and long documents. If a change concerns many words,
// those around the cursor are painted at once, and the others between frames.

import { h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { IdleQueue } from "../../core/idle.js";

const LONGEST_PARAGRAPH = 250; // Words before a paragraph is divided.
const AT_ONCE = 300; // Words that are all painted at once.
const NEAR = 400; // Words from the cursor within which others are painted at once.
const LINE_DISTANCE = 4; // Pixels between underlines.
const MOST_LEVELS = 4;
const HUE_STEP = 137.508; // Degrees between the hues of successive chains: the golden angle.
const DOUBLE_CLICK = 450; // Milliseconds.

export class TextView {
  constructor({ content, words, markup, label, readonly = false, on = {} }) {
    Object.assign(this, { words, markup, readonly, on });
    this.elements = [];
    this.gaps = [];
    this.cover = Array.from({ length: words.count }, () => []);
    this.drawn = new Map();
    this.highlighted = [];
    this.selected = [];
    this.painting = new IdleQueue((index) => this.paint(index));
    this.from = this.to = 0;
    const role = readonly
      ? { role: "group" }
      : { role: "listbox", "aria-multiselectable": "true" };
    this.node = h("div", { class: "coref-text", ...role, "aria-label": label });
    this.build(content.closed || []);
    if (!readonly) this.listen();
    this.sync();
  }

  build(closed) {
    const wordTemplate = h("span", { class: "w", role: this.readonly ? null : "option" });
    const spaceTemplate = h("span", { class: "g" });
    let paragraph = null;
    let length = 0;
    for (let index = 0; index < this.words.count; index += 1) {
      const gap = this.words.gap(index);
      const text = this.words.text(index);
      if (!paragraph) {
        const first = this.words.part(this.words.start(index), this.words.start(index) + 200);
        paragraph = h("div", { class: "paragraph", role: "group", dir: direction(first) });
        length = 0;
        this.node.append(paragraph);
      }
      const word = wordTemplate.cloneNode();
      word.setAttribute("data-i", index);
      word.textContent = text;
      const start = this.words.start(index);
      if (closed.some(([from, to]) => from <= start && start < to)) word.classList.add("closed");
      this.elements.push(word);
      paragraph.append(word);
      length += 1;
      const endsLine = gap.includes("\n");
      const isLong = length >= LONGEST_PARAGRAPH && /^[.!?。؟]$/u.test(text);
      const space = gap && !endsLine ? spaceTemplate.cloneNode() : null;
      if (space) {
        space.textContent = gap;
        paragraph.append(space);
      }
      this.gaps.push(space);
      if (isLong && !endsLine) paragraph.classList.add("flows");
      if (endsLine || isLong) paragraph = null;
    }
    if (!this.readonly && this.elements.length) this.elements[0].tabIndex = 0;
  }

  listen() {
    const { node } = this;
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.drag(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", () => this.cancelDrag());
  }

  indexOf(target) {
    const word = target instanceof Element ? target.closest(".w") : null;
    return word && this.node.contains(word) ? Number(word.dataset.i) : null;
  }

  isClosed(index) {
    return this.elements[index].classList.contains("closed");
  }

  press(event) {
    const index = this.indexOf(event.target);
    if (index === null || event.button !== 0) return;
    this.dragging = { from: event.shiftKey ? this.from : index, moved: event.shiftKey };
    if (event.pointerType !== "touch") event.preventDefault();
    this.node.setPointerCapture(event.pointerId);
    this.choose(this.dragging.from, index);
    this.focus();
  }

  drag(event) {
    if (!this.dragging || event.buttons === 0) return;
    const index = this.indexOf(document.elementFromPoint(event.clientX, event.clientY));
    if (index === null || index === this.to) return;
    this.dragging.moved = true;
    this.choose(this.dragging.from, index);
  }

  release(event) {
    if (!this.dragging) return;
    const { moved } = this.dragging;
    this.dragging = null;
    const dragged = moved && this.from !== this.to;
    const isDouble = this.pressed?.index === this.to && event.timeStamp - this.pressed.at < DOUBLE_CLICK;
    this.pressed = isDouble || dragged ? null : { index: this.to, at: event.timeStamp };
    if (dragged) this.on.select?.(...this.range());
    else if (isDouble) this.on.doubleClick?.(this.to);
    else this.on.press?.(this.to);
  }

  cancelDrag() {
    this.dragging = null;
    this.choose(this.to, this.to);
  }

  range() {
    return [Math.min(this.from, this.to), Math.max(this.from, this.to)];
  }

  focus() {
    this.elements[this.to]?.focus({ preventScroll: true });
  }

  reveal(index) {
    this.elements[index]?.scrollIntoView({ block: "nearest" });
  }

  // The index of the word below or above the cursor, on the next line.
  indexOnNextLine(direction) {
    const here = this.elements[this.to].getBoundingClientRect();
    const middle = (here.left + here.right) / 2;
    let best = null;
    let line = null;
    for (let index = this.to + direction; this.elements[index]; index += direction) {
      const box = this.elements[index].getBoundingClientRect();
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > here.height / 2) break;
      const distance = Math.abs((box.left + box.right) / 2 - middle);
      if (best === null || distance < best.distance) best = { index, distance };
    }
    return best ? best.index : this.to;
  }

  // The index of the first or last word of the cursor's line.
  lineEnd(direction) {
    const { top, height } = this.elements[this.to].getBoundingClientRect();
    let index = this.to;
    while (this.elements[index + direction]) {
      if (Math.abs(this.elements[index + direction].getBoundingClientRect().top - top) > height / 2) break;
      index += direction;
    }
    return index;
  }

  choose(from, to) {
    if (to !== this.to) {
      this.elements[to].tabIndex = 0;
      this.elements[this.to].tabIndex = -1;
    }
    this.from = from;
    this.to = to;
    for (const element of this.selected) {
      element.classList.remove("sel");
      element.removeAttribute("aria-selected");
    }
    const [low, high] = this.range();
    this.selected = this.elements.slice(low, high + 1);
    for (const element of this.selected) {
      element.classList.add("sel");
      element.setAttribute("aria-selected", "true");
    }
  }

  show(mention) {
    for (const element of this.highlighted) element.classList.remove("here", "same");
    this.highlighted = [];
    if (!mention) return;
    for (const member of this.markup.members(mention.chain)) {
      for (let index = member.first; index <= member.last; index += 1) {
        this.highlight(this.elements[index], member === mention ? "here" : "same");
        if (index < member.last && this.gaps[index]) {
          this.highlight(this.gaps[index], member === mention ? "here" : "same");
        }
      }
    }
  }

  highlight(element, name) {
    element.classList.add(name);
    this.highlighted.push(element);
  }

  // The mentions at a word, the innermost first.
  mentionsAt(index) {
    return [...this.cover[index]].sort((mention, other) => mention.end - mention.start - (other.end - other.start));
  }

  sync(notes = new Map()) {
    const dirty = new Set();
    for (const [id, mention] of this.drawn) {
      const current = this.markup.get(id);
      if (current && this.isUnchanged(mention, current, notes)) continue;
      this.removeCover(mention, dirty);
      this.drawn.delete(id);
    }
    for (const id of this.markup.order) {
      if (this.drawn.has(id)) continue;
      const current = this.markup.get(id);
      const linked = this.markup.isLinked(current);
      const mention = { ...current, linked, noted: notes.has(String(id)), level: 0 };
      this.drawn.set(id, mention);
      for (let index = mention.first; index <= mention.last; index += 1) {
        this.cover[index].push(mention);
        dirty.add(index);
      }
    }
    this.paintAll(this.assignLevels(dirty));
  }

  // Return whether a mention is drawn with its current values.
  isUnchanged(drawn, current, notes) {
    return drawn.start === current.start
      && drawn.end === current.end
      && drawn.chain === current.chain
      && drawn.optional === current.optional
      && drawn.head?.[0] === current.head?.[0]
      && drawn.head?.[1] === current.head?.[1]
      && drawn.linked === this.markup.isLinked(current)
      && drawn.noted === notes.has(String(current.id));
  }

  paintAll(indices) {
    if (indices.size <= AT_ONCE) {
      for (const index of indices) this.painting.processNow(index);
      return;
    }
    const later = [];
    for (const index of indices) {
      if (Math.abs(index - this.to) <= NEAR) this.painting.processNow(index);
      else later.push(index);
    }
    this.painting.add(later);
  }

  removeCover(mention, dirty) {
    for (let index = mention.first; index <= mention.last; index += 1) {
      this.cover[index].splice(this.cover[index].indexOf(mention), 1);
      dirty.add(index);
    }
  }

  // Give overlapping mentions different levels, the shortest next to the words. Return the words to
  // paint: those given, and all words of mentions whose level has changed.
  assignLevels(dirty) {
    const seen = new Set();
    const indices = new Set(dirty);
    for (const index of dirty) {
      for (const mention of this.cover[index]) {
        if (seen.has(mention)) continue;
        this.stackGroup(mention, seen, indices);
      }
    }
    return indices;
  }

  stackGroup(first, seen, indices) {
    const group = [first];
    seen.add(first);
    for (const mention of group) {
      for (let index = mention.first; index <= mention.last; index += 1) {
        for (const other of this.cover[index]) {
          if (seen.has(other)) continue;
          seen.add(other);
          group.push(other);
        }
      }
    }
    group.sort((mention, other) => mention.last - mention.first - (other.last - other.first) || mention.start - other.start);
    const stacked = [];
    for (const mention of group) {
      const overlaps = (other) => other.first <= mention.last && mention.first <= other.last;
      const taken = new Set(stacked.filter(overlaps).map((other) => other.level));
      let level = 0;
      while (taken.has(level)) level += 1;
      stacked.push(mention);
      if (level === mention.level) continue;
      mention.level = level;
      for (let index = mention.first; index <= mention.last; index += 1) indices.add(index);
    }
  }

  paint(index) {
    const word = this.elements[index];
    const covering = this.cover[index].sort((mention, other) => mention.level - other.level);
    const outer = [...covering].sort((mention, other) => other.end - other.start - (mention.end - mention.start));
    const opens = outer.filter((mention) => mention.first === index);
    const closes = outer.filter((mention) => mention.last === index);
    setOrRemove(word, "data-open", opens.map(openingBracket).join(""));
    setOrRemove(word, "data-close", closes.map(() => "]").join(""));
    const start = this.words.start(index);
    underline(word, covering, (mention) => !mention.head || (mention.head[0] <= start && start < mention.head[1]));
    for (const gap of [index - 1, index]) {
      if (!this.gaps[gap]) continue;
      const across = this.cover[gap].filter((mention) => mention.last > gap);
      const inHead = (mention) => !mention.head || isInside(mention.head, this.words.end(gap));
      underline(this.gaps[gap], across, inHead);
    }
  }
}

function isInside([from, to], place) {
  return from < place && place < to;
}

function openingBracket(mention) {
  const signs = `${mention.optional ? "?" : ""}${mention.noted ? "!" : ""}`;
  return `[${mention.chain}${signs} `;
}

function setOrRemove(word, name, text) {
  if ((word.getAttribute(name) || "") === text) return;
  if (text) word.setAttribute(name, text);
  else word.removeAttribute(name);
}

export function colour(chain, linked = true) {
  return linked ? `oklch(0.6 0.14 ${((chain * HUE_STEP) % 360).toFixed(1)})` : "var(--faint)";
}

const drawnStyles = new WeakMap();

// Underline each mention, with a thick line under its head.
function underline(element, mentions, isHead) {
  const drawn = mentions.length ? underlineStyle(mentions, isHead) : "";
  if (drawn === (drawnStyles.get(element) || "")) return;
  drawnStyles.set(element, drawn);
  if (drawn) element.style.cssText = drawn;
  else element.removeAttribute("style");
}

function underlineStyle(mentions, isHead) {
  const images = [];
  const sizes = [];
  const places = [];
  for (const mention of mentions) {
    const tint = colour(mention.chain, mention.linked);
    const level = Math.min(mention.level, MOST_LEVELS - 1);
    images.push(`linear-gradient(${tint}, ${tint})`);
    sizes.push(`100% ${isHead(mention) ? 3 : 1}px`);
    places.push(`0 calc(100% - ${(MOST_LEVELS - 1 - level) * LINE_DISTANCE}px)`);
  }
  const [image, size, place] = [images, sizes, places].map((all) => all.join(", "));
  return `background-image: ${image}; background-size: ${size}; background-position: ${place}`;
}
