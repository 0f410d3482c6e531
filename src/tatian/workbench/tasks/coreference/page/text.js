// The text of a document with its marked phrases: lines under the words, brackets with the numbers
// of the chains, stacked where phrases lie in each other.
//
//   const view = new TextView({content, words, markup, label, readonly, on})
//     on.select(first, last)      words were chosen by dragging or with keys
//     on.press(index)             a click on a word      on.twice(index)   another one at once
//   view.node
//   view.sync(notes?)       draws what has changed in the markup since; nothing else is touched
//   view.choose(from, to)   the selection: words between two, `to` has the cursor
//   view.show(mention)      the current mention and its chain; null: none
//   view.from  view.to      the selection       view.focus()   view.reveal(index)
//
// Every word is one element, made once. Paragraphs are laid out for themselves, and only those that
// are in sight (content-visibility), so that a change costs the same in a short and a long document.
// Where a change touches many words, those around the cursor are painted at once, the others in the
// pauses between frames.

import { h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { Slices } from "../../core/idle.js";

const LONGEST = 250;
const AT_ONCE = 300;
const NEAR = 400;
const STEP = 4;
const LEVELS = 4;
const TURN = 137.508;
const TWICE = 450;

export class TextView {
  constructor({ content, words, markup, label, readonly = false, on = {} }) {
    Object.assign(this, { words, markup, readonly, on });
    this.elements = [];
    this.gaps = [];
    this.cover = Array.from({ length: words.count }, () => []);
    this.drawn = new Map();
    this.lit = [];
    this.selected = [];
    this.painting = new Slices((index) => this.paint(index));
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
    const wordLike = h("span", { class: "w", role: this.readonly ? null : "option" });
    const spaceLike = h("span", { class: "g" });
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
      const word = wordLike.cloneNode();
      word.setAttribute("data-i", index);
      word.textContent = text;
      const start = this.words.start(index);
      if (closed.some(([from, to]) => from <= start && start < to)) word.classList.add("closed");
      this.elements.push(word);
      paragraph.append(word);
      length += 1;
      const ends = gap.includes("\n");
      const long = length >= LONGEST && /^[.!?。؟]$/u.test(text);
      const space = gap && !ends ? spaceLike.cloneNode() : null;
      if (space) {
        space.textContent = gap;
        paragraph.append(space);
      }
      this.gaps.push(space);
      if (long && !ends) paragraph.classList.add("flows");
      if (ends || long) paragraph = null;
    }
    if (!this.readonly && this.elements.length) this.elements[0].tabIndex = 0;
  }

  listen() {
    const { node } = this;
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.drag(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", () => this.abandon());
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
    const again = this.pressed?.index === this.to && event.timeStamp - this.pressed.at < TWICE;
    this.pressed = again || dragged ? null : { index: this.to, at: event.timeStamp };
    if (dragged) this.on.select?.(...this.range());
    else if (again) this.on.twice?.(this.to);
    else this.on.press?.(this.to);
  }

  abandon() {
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

  // The word below or above the cursor, on the next line of text that has one.
  below(way) {
    const here = this.elements[this.to].getBoundingClientRect();
    const middle = (here.left + here.right) / 2;
    let best = null;
    let line = null;
    for (let index = this.to + way; this.elements[index]; index += way) {
      const box = this.elements[index].getBoundingClientRect();
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > here.height / 2) break;
      const away = Math.abs((box.left + box.right) / 2 - middle);
      if (best === null || away < best.away) best = { index, away };
    }
    return best ? best.index : this.to;
  }

  // The first or last word of the cursor's line.
  edge(way) {
    const { top, height } = this.elements[this.to].getBoundingClientRect();
    let index = this.to;
    while (this.elements[index + way]) {
      if (Math.abs(this.elements[index + way].getBoundingClientRect().top - top) > height / 2) break;
      index += way;
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
    for (const element of this.lit) element.classList.remove("here", "same");
    this.lit = [];
    if (!mention) return;
    for (const one of this.markup.members(mention.chain)) {
      for (let index = one.first; index <= one.last; index += 1) {
        this.light(this.elements[index], one === mention ? "here" : "same");
        if (index < one.last && this.gaps[index]) {
          this.light(this.gaps[index], one === mention ? "here" : "same");
        }
      }
    }
  }

  light(element, name) {
    element.classList.add(name);
    this.lit.push(element);
  }

  // The mentions at a word, the innermost first.
  at(index) {
    return [...this.cover[index]].sort((one, other) => one.end - one.start - (other.end - other.start));
  }

  sync(notes = new Map()) {
    const dirty = new Set();
    for (const [id, mention] of this.drawn) {
      const now = this.markup.get(id);
      if (now && this.shows(mention, now, notes)) continue;
      this.uncover(mention, dirty);
      this.drawn.delete(id);
    }
    for (const id of this.markup.order) {
      if (this.drawn.has(id)) continue;
      const now = this.markup.get(id);
      const linked = this.markup.linked(now);
      const mention = { ...now, linked, noted: notes.has(String(id)), level: 0 };
      this.drawn.set(id, mention);
      for (let index = mention.first; index <= mention.last; index += 1) {
        this.cover[index].push(mention);
        dirty.add(index);
      }
    }
    this.paintAll(this.level(dirty));
  }

  // Whether a mention is drawn as it is now.
  shows(drawn, now, notes) {
    return drawn.start === now.start
      && drawn.end === now.end
      && drawn.chain === now.chain
      && drawn.optional === now.optional
      && drawn.head?.[0] === now.head?.[0]
      && drawn.head?.[1] === now.head?.[1]
      && drawn.linked === this.markup.linked(now)
      && drawn.noted === notes.has(String(now.id));
  }

  paintAll(wanted) {
    if (wanted.size <= AT_ONCE) {
      for (const index of wanted) this.painting.now(index);
      return;
    }
    const later = [];
    for (const index of wanted) {
      if (Math.abs(index - this.to) <= NEAR) this.painting.now(index);
      else later.push(index);
    }
    this.painting.add(later);
  }

  uncover(mention, dirty) {
    for (let index = mention.first; index <= mention.last; index += 1) {
      this.cover[index].splice(this.cover[index].indexOf(mention), 1);
      dirty.add(index);
    }
  }

  // Gives overlapping mentions lines of their own, short ones next to the words; returns the words
  // to paint: those given, and all of mentions whose line has moved.
  level(dirty) {
    const seen = new Set();
    const wanted = new Set(dirty);
    for (const index of dirty) {
      for (const mention of this.cover[index]) {
        if (seen.has(mention)) continue;
        this.stack(mention, seen, wanted);
      }
    }
    return wanted;
  }

  stack(first, seen, wanted) {
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
    group.sort((one, other) => one.last - one.first - (other.last - other.first) || one.start - other.start);
    const placed = [];
    for (const mention of group) {
      const over = (other) => other.first <= mention.last && mention.first <= other.last;
      const taken = new Set(placed.filter(over).map((other) => other.level));
      let level = 0;
      while (taken.has(level)) level += 1;
      placed.push(mention);
      if (level === mention.level) continue;
      mention.level = level;
      for (let index = mention.first; index <= mention.last; index += 1) wanted.add(index);
    }
  }

  paint(index) {
    const word = this.elements[index];
    const covering = this.cover[index].sort((one, other) => one.level - other.level);
    const outer = [...covering].sort((one, other) => other.end - other.start - (one.end - one.start));
    const opens = outer.filter((one) => one.first === index);
    const closes = outer.filter((one) => one.last === index);
    label(word, "data-open", opens.map(opening).join(""));
    label(word, "data-close", closes.map(() => "]").join(""));
    const start = this.words.start(index);
    underline(word, covering, (one) => !one.head || (one.head[0] <= start && start < one.head[1]));
    for (const gap of [index - 1, index]) {
      if (!this.gaps[gap]) continue;
      const across = this.cover[gap].filter((one) => one.last > gap);
      const inHead = (one) => !one.head || spans(one.head, this.words.end(gap));
      underline(this.gaps[gap], across, inHead);
    }
  }
}

function spans([from, to], place) {
  return from < place && place < to;
}

function opening(mention) {
  const signs = `${mention.optional ? "?" : ""}${mention.noted ? "!" : ""}`;
  return `[${mention.chain}${signs} `;
}

function label(word, name, text) {
  if ((word.getAttribute(name) || "") === text) return;
  if (text) word.setAttribute(name, text);
  else word.removeAttribute(name);
}

export function colour(chain, linked = true) {
  return linked ? `oklch(0.6 0.14 ${((chain * TURN) % 360).toFixed(1)})` : "var(--faint)";
}

const lines = new WeakMap();

// One line for each mention: thick under its head.
function underline(element, mentions, isHead) {
  const drawn = mentions.length ? styled(mentions, isHead) : "";
  if (drawn === (lines.get(element) || "")) return;
  lines.set(element, drawn);
  if (drawn) element.style.cssText = drawn;
  else element.removeAttribute("style");
}

function styled(mentions, isHead) {
  const images = [];
  const sizes = [];
  const places = [];
  for (const one of mentions) {
    const tint = colour(one.chain, one.linked);
    const level = Math.min(one.level, LEVELS - 1);
    images.push(`linear-gradient(${tint}, ${tint})`);
    sizes.push(`100% ${isHead(one) ? 3 : 1}px`);
    places.push(`0 calc(100% - ${(LEVELS - 1 - level) * STEP}px)`);
  }
  const [image, size, place] = [images, sizes, places].map((all) => all.join(", "));
  return `background-image: ${image}; background-size: ${size}; background-position: ${place}`;
}
