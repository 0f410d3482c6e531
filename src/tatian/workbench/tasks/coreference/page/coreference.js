// The coreference page: mark phrases for the same thing and link them into chains (MUC-6).
//
// The draft is that of Markup.state; an answer {markables} is accepted too. This file connects the
// text, the list of chains, the panel and the picker, and turns keys and clicks into changes.

import { h } from "../../core/dom.js";
import { ChainList } from "./chains.js";
import { Checks } from "./checks.js";
import { compareMarkup } from "./feedback.js";
import { Markup, stateOf } from "./model.js";
import { KEYS, Panel, noteText } from "./panel.js";
import { Picker } from "./picker.js";
import { TextView } from "./text.js";
import { Phrases, Words } from "./words.js";

export { stateOf };
export const style = "coreference.css";

const NO_WORD = "Nothing to mark here: this is only punctuation.";
const COMMANDS = {
  j: "next", k: "previous", l: "link", o: "optional", m: "head", b: "extent", u: "unlink",
  s: "split", w: "widen", i: "outer", n: "noted", Delete: "remove", Backspace: "remove",
  Enter: "mark", Escape: "escape",
};

export function mount(root, { content, state, readonly = false }, context) {
  return new Coreference(root, content, state, readonly, context);
}

class Coreference {
  constructor(root, content, state, readonly, context) {
    Object.assign(this, { root, content, readonly, context });
    this.help = KEYS;
    this.words = new Words(content.text, content.tokens);
    this.markup = new Markup(this.words);
    this.markup.load(state?.markables ? stateOf(state) : state);
    this.phrases = new Phrases();
    this.notes = new Map();
    this.complete = true;
    this.current = null;
    this.view = new TextView({
      content,
      words: this.words,
      markup: this.markup,
      label: content.title ? `Text: ${content.title}` : "Text",
      readonly,
      on: {
        select: () => (this.picker.isOpen ? null : this.runCommand("mark")),
        press: (index) => this.press(index),
        doubleClick: (index) => this.onDoubleClick(index),
      },
    });
    const jump = (id) => this.jump(id);
    this.list = new ChainList(this.words, this.markup, { jump });
    this.panel = new Panel(this.words, this.markup, { runCommand: (name) => this.runCommand(name), jump });
    this.picker = new Picker(this.words, this.markup, {
      choose: (id) => this.link(id),
      leave: () => this.runCommand("escape"),
    });
    this.build();
    this.checks = new Checks(context, content, (advice) => this.showAdvice(advice));
    this.refresh();
    if (!readonly) this.checks.ask(() => this.markup.answer());
  }

  build() {
    const side = h(
      "div",
      { class: "side" },
      this.readonly ? null : [this.panel.tools, this.panel.body, this.picker.node],
      this.panel.notes,
      this.list.node,
    );
    const heading = this.content.title ? h("h2", { dir: "auto" }, this.content.title) : null;
    this.node = h(
      "div",
      { class: "coref" },
      h("div", { class: "text-side" }, heading, this.view.node),
      side,
    );
    if (!this.readonly) this.node.addEventListener("keydown", (event) => this.onKey(event));
    this.root.append(this.node);
  }

  state() {
    return this.markup.state();
  }

  answer() {
    return this.markup.answer();
  }

  restore(state) {
    this.markup.load(state?.markables ? stateOf(state) : state);
    this.picker.close();
    if (this.current !== null && !this.markup.get(this.current)) this.current = null;
    this.refresh();
    this.checks.ask(() => this.markup.answer());
  }

  problems() {
    const errors = [...this.notes]
      .filter(([id]) => this.markup.get(Number(id)))
      .flatMap(([, notes]) => notes.filter((note) => note.severity === "error"));
    return errors.map(noteText);
  }

  feedback(root, feedback) {
    compareMarkup(root, this, feedback);
  }

  destroy() {
    this.checks.stop();
  }

  refresh() {
    const mention = this.current === null ? null : this.markup.get(this.current);
    this.view.sync(this.notes);
    this.view.show(mention);
    this.list.sync(mention);
    this.showPanel();
  }

  showPanel() {
    const mention = this.current === null ? null : this.markup.get(this.current);
    const { notes, complete } = this;
    this.panel.show({ mention, selection: this.view.range(), notes, complete });
  }

  changed(text) {
    this.refresh();
    this.context.changed();
    if (text) this.context.announce(text);
    this.checks.ask(() => this.markup.answer());
  }

  // Show remarks of the rules on the markup.
  showAdvice({ notes, phrases, complete }) {
    this.notes = notes;
    this.complete = complete;
    if (phrases) this.phrases = new Phrases(phrases);
    this.view.sync(this.notes);
    this.showPanel();
  }

  // Clicks

  press(index) {
    const ids = this.view.mentionsAt(index).map((mention) => mention.id);
    if (this.picker.isOpen) {
      const other = ids.find((id) => this.markup.get(id).chain !== this.markup.get(this.current).chain);
      if (other !== undefined) this.link(other);
      return;
    }
    const position = ids.indexOf(this.current);
    this.select(ids.length ? ids[(position + 1) % ids.length] : null, { quiet: true });
  }

  onDoubleClick(index) {
    if (this.picker.isOpen) return;
    this.view.choose(index, index);
    this.runCommand("mark");
  }

  // Keys

  onKey(event) {
    const field = event.target.closest("input, textarea, select");
    if (field || event.altKey) return;
    const inText = this.view.node.contains(event.target);
    const hasControl = event.ctrlKey || event.metaKey;
    if (inText && this.moveByKey(event, hasControl)) {
      event.preventDefault();
      return;
    }
    if (hasControl) return;
    const name = COMMANDS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name || (name === "mark" && !inText)) return;
    event.preventDefault();
    this.runCommand(name);
  }

  moveByKey(event, hasControl) {
    const { view } = this;
    const rtl = view.elements[view.to].parentNode.dir === "rtl";
    const last = this.words.count - 1;
    const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 };
    let to = null;
    if (event.key in steps) {
      to = hasControl ? this.paragraph(steps[event.key]) : view.to + steps[event.key];
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      to = view.indexOnNextLine(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Home" || event.key === "End") {
      const edge = event.key === "Home" ? 0 : last;
      to = hasControl ? edge : view.lineEnd(event.key === "Home" ? -1 : 1);
    }
    if (to === null) return false;
    this.move(Math.max(0, Math.min(last, to)), event.shiftKey);
    return true;
  }

  paragraph(step) {
    const { parentNode } = this.view.elements[this.view.to];
    const next = step > 0 ? parentNode.nextElementSibling : parentNode.previousElementSibling;
    const word = (next || parentNode).querySelector(".w");
    return Number(word.dataset.i);
  }

  move(to, extend) {
    const { view } = this;
    view.choose(extend ? view.from : to, to);
    if (extend) {
      const [first, last] = view.range();
      this.context.announce(this.words.shorten(this.words.start(first), this.words.end(last)));
      this.showPanel();
    } else {
      const [innermost] = view.mentionsAt(to);
      this.select(innermost ? innermost.id : null, { stay: true });
    }
    view.focus();
    view.reveal(to);
  }

  // Commands

  runCommand(name) {
    if (this.readonly) return;
    const { markup, view } = this;
    const id = this.current;
    const [first, last] = view.range();
    const [start, end] = [this.words.start(first), this.words.end(last)];
    if (name === "mark") this.mark(first, last);
    else if (name === "widen") this.widen(start, end);
    else if (name === "next" || name === "previous") this.stepMention(name === "next" ? 1 : -1);
    else if (name === "noted") this.stepMention(1, (mention) => this.notes.has(String(mention)));
    else if (name === "escape") this.escape();
    else if (id === null) this.context.announce("Choose a marked phrase first.");
    else if (name === "outer") this.selectOuter();
    else if (name === "link") this.openPicker();
    else if (name === "optional") this.optional();
    else if (name === "head") this.head(start, end);
    else if (name === "extent" && !this.words.hasWord(start, end)) this.context.announce(NO_WORD);
    else if (name === "extent") {
      const head = this.phrases.head(this.words, start, end);
      if (markup.setExtent(id, start, end, head)) this.changed("Borders changed.");
      else this.context.announce("These words are marked already.");
    } else if (name === "unlink") {
      if (markup.unlink(id)) this.changed("Taken out of its chain.");
    } else if (name === "split") {
      if (markup.split(id)) this.changed(`Split: chain ${markup.get(id).chain} begins here.`);
    } else if (name === "remove") this.remove();
  }

  mark(first, last) {
    const isClosed = [first, last].some((index) => this.view.isClosed(index));
    if (isClosed) {
      this.context.announce("This part of the document is not annotated.");
      return;
    }
    const [start, end] = [this.words.start(first), this.words.end(last)];
    if (!this.words.hasWord(start, end)) {
      this.context.announce(NO_WORD);
      return;
    }
    const existing = this.markup.idAt(start, end);
    if (existing !== null) {
      this.select(existing);
      return;
    }
    const head = this.phrases.head(this.words, start, end);
    this.current = this.markup.add(start, end, head);
    const minimum = head ? `, MIN ${this.words.shorten(...head)}` : "";
    this.changed(`Marked: ${this.words.shorten(start, end)}${minimum}.`);
  }

  widen(start, end) {
    const wider = this.phrases.wider(start, end);
    if (!wider) {
      this.context.announce("No wider phrase is known.");
      return;
    }
    const [first, last] = this.words.range(...wider);
    this.view.choose(first, last);
    this.view.focus();
    this.select(this.markup.idAt(...wider), { stay: true, keep: true });
  }

  openPicker() {
    this.picker.open(this.markup.get(this.current));
    this.context.announce("Choose the antecedent.");
  }

  link(other) {
    const id = this.current;
    this.picker.close();
    if (!this.markup.link(id, other)) return;
    const { chain } = this.markup.get(id);
    this.changed(`Linked: chain ${chain}, ${this.markup.chains.get(chain).size} phrases.`);
    this.view.focus();
  }

  optional() {
    const mention = this.markup.get(this.current);
    if (this.markup.setOptional(mention.id, !mention.optional)) {
      this.changed(mention.optional ? "Optional." : "No longer optional.");
    } else {
      this.context.announce("Only an anaphor can be optional: link it first.");
    }
  }

  head(start, end) {
    const mention = this.markup.get(this.current);
    if (start < mention.start || end > mention.end) {
      this.context.announce("MIN must lie in the phrase.");
      return;
    }
    this.markup.setHead(mention.id, [start, end]);
    this.changed(`MIN: ${this.words.shorten(start, end)}.`);
  }

  remove() {
    const { first } = this.markup.get(this.current);
    this.markup.remove(this.current);
    this.current = null;
    this.view.choose(first, first);
    this.changed("Mark deleted.");
    this.view.focus();
  }

  escape() {
    if (this.picker.isOpen) {
      this.picker.close();
      this.view.focus();
      return;
    }
    this.view.choose(this.view.to, this.view.to);
    this.select(null, { stay: true });
  }

  // Go to the next or previous marked phrase, from the current one or from the cursor.
  stepMention(direction, isWanted = () => true) {
    const order = this.markup.order.filter(isWanted);
    if (!order.length) return;
    let index = order.indexOf(this.current);
    if (index < 0) {
      const at = this.words.start(this.view.to);
      const after = order.findIndex((id) => this.markup.get(id).start >= at);
      index = direction > 0 ? (after < 0 ? order.length : after) - 1 : after < 0 ? order.length : after;
    }
    this.jump(order[(index + direction + order.length) % order.length]);
  }

  selectOuter() {
    const around = this.view.mentionsAt(this.view.to).map((mention) => mention.id);
    const next = around[(around.indexOf(this.current) + 1) % around.length];
    if (next !== undefined) this.select(next);
  }

  jump(id) {
    if (this.picker.isOpen && id !== this.current) {
      this.link(id);
      return;
    }
    const { first } = this.markup.get(id);
    this.view.choose(first, first);
    this.select(id);
    this.view.reveal(first);
    if (!this.readonly) this.view.focus();
  }

  select(id, { quiet = false, stay = false, keep = false } = {}) {
    if (id === this.current && stay && !keep) {
      this.showPanel();
      return;
    }
    this.current = id;
    const mention = id === null ? null : this.markup.get(id);
    this.view.show(mention);
    this.list.sync(mention);
    this.showPanel();
    if (!mention || quiet) return;
    const size = this.markup.chains.get(mention.chain).size;
    const words = this.words.shorten(mention.start, mention.end);
    this.context.announce(`${words}: chain ${mention.chain}, ${size} phrase${size === 1 ? "" : "s"}`);
  }
}
