// The pane of the text: numbered sentences, whose words are linked to their sources.
//
// A sentence's number opens its menu, and is the handle to drag it. Only sentences that have changed
// are rebuilt, so that long texts stay fast.

import { arrange, h, isComposing } from "../core/dom.js";
import { Pane } from "./pane.js";
import { VERDICTS, colour, letter, tint } from "./wording.js";

const MOST_UNDERLINES = 3; // Sources of a word that are underlined in their colours.
const MOST_LETTERS = 12; // Sources of a sentence that are shown by letters.
const NUMBERED_AT_ONCE = 24; // Changed sentences that are numbered at once; later ones after the next paint.

export class Text extends Pane {
  constructor(actions) {
    super(".n, .w, .own-sign");
    const { show } = (this.actions = actions);
    this.built = new Map();
    this.words = new WeakMap();
    this.current = null;
    this.oldFocus = null;
    this.node = h("div", { id: "text", class: "consolidated", "aria-describedby": "text-hint" });
    const { node } = this;
    node.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.onPointer(event.target));
    node.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
    node.addEventListener("click", (event) => this.onClick(event));
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("focusin", (event) => this.visit(event.target));
    node.addEventListener("contextmenu", (event) => this.onContextMenu(event));
    for (const kind of ["dragstart", "dragover", "dragleave", "drop", "dragend"]) {
      node.addEventListener(kind, (event) => this[kind](event));
    }
  }

  // Drawing

  // `notes`: numbers of the notes on words in conflict, by sentence and place of the word.
  draw(sentences, notes) {
    this.oldFocus = this.focusedPlace();
    const views = new Map();
    const paragraphs = [];
    sentences.forEach((sentence) => {
      const marks = notes.get(sentence.id) || {};
      const before = this.built.get(sentence.id);
      const view = before && isUnchanged(before, sentence, marks) ? before : { ...this.build(sentence, marks), marks };
      view.sentence = sentence;
      views.set(sentence.id, view);
      if (sentence.opens || !paragraphs.length) paragraphs.push({ id: sentence.id, nodes: [] });
      paragraphs.at(-1).nodes.push(view.node, view.space);
    });
    this.built = views;
    this.numberSentences();
    const paragraphNodes = new Map([...this.node.children].map((node) => [node.dataset.first, node]));
    const nodes = paragraphs.map(({ id, nodes }) => arrange(paragraphNodes.get(id) || h("p", { dir: "auto", "data-first": id }), nodes));
    arrange(this.node, nodes.length ? nodes : [h("p", { class: "nothing" }, "Nothing is left of the text. Undo, or add sentences of the sources.")]);
    if (!this.current?.isConnected) this.setStop(this.node.querySelector(".n"), false);
  }

  numberSentences() {
    const { built } = this;
    const label = (view, number) => {
      view.count.data = number;
      view.number.setAttribute("aria-label", `Sentence ${number}${view.from}: change`);
    };
    const outdated = [...built.values()].map((view, place) => [view, place + 1]).filter(([{ count }, number]) => count.data !== String(number));
    const later = outdated.filter(([view, number], at) => view.count.data && at >= NUMBERED_AT_ONCE || label(view, number));
    if (later.length) requestAnimationFrame(() => setTimeout(() => built === this.built && later.forEach((entry) => label(...entry))));
  }

  // Restore the focus after everything is drawn, as this makes the browser measure.
  refocus() {
    const { node, id, place, word } = this.oldFocus || {};
    if (!node || node === document.activeElement) return;
    if (node.isConnected) node.focus({ preventScroll: true });
    else this.focusOn(id, place, word);
  }

  // The number or word with the focus, in terms that remain valid when the text is drawn again.
  focusedPlace() {
    const node = document.activeElement;
    const id = this.node.contains(node) ? this.sentenceAt(node) : null;
    if (id === null) return null;
    return { node, id, place: [...this.built.keys()].indexOf(id), word: this.words.get(node)?.place };
  }

  build(sentence, notes) {
    const characters = [...sentence.text];
    const part = (from, to) => characters.slice(from, to).join("");
    const count = document.createTextNode("");
    const number = h("button", { type: "button", class: "n", tabindex: -1, draggable: "true", "aria-haspopup": "menu" }, count);
    const node = h("span", { class: "o", "data-id": sentence.id }, number);
    const doubts = sentence.verdict?.unsupported || [];
    let at = 0;
    let run = null;
    let kind = null;
    sentence.tokens.forEach((token, place) => {
      const from = [...new Set(token.sources.map(([account]) => account))].sort((first, other) => first - other);
      const name = underlineClass(token, from);
      const gap = part(at, token.start);
      if (name === kind) run.append(gap);
      else {
        node.append(gap, (run = h("span", { class: name })));
        kind = name;
      }
      const note = notes[place];
      const isLast = note && notes[place + 1] !== note;
      const isDoubted = doubts.some(([from, to]) => from < token.end && token.start < to);
      const word = h("span", { class: `w${note ? " disputed" : ""}${isDoubted ? ` doubt verdict-${sentence.verdict.verdict}` : ""}`, "data-note": isLast ? note : null, tabindex: -1 }, part(token.start, token.end));
      this.words.set(word, { sentence, token, place });
      run.append(word);
      at = token.end;
    });
    node.append(part(at), this.sentenceSigns(sentence));
    const from = [...accountsOf(sentence.tokens)].map(letter).join(", ");
    return { node, number, count, from: from && ` from ${from}`, space: document.createTextNode(" ") };
  }

  // After the sentence: the letters of its sources, who worded it, and its verdict.
  sentenceSigns({ tokens, verdict: checked, model, new: isNew }) {
    const from = [...accountsOf(tokens)];
    const letters = from.slice(0, MOST_LETTERS).flatMap((account) => [h("b", { class: colour(account) }, letter(account)), " "]);
    const remaining = from.length > MOST_LETTERS ? `+${from.length - MOST_LETTERS}` : "";
    const signs = h("span", { class: "sigla" }, from.length ? h("span", { class: "unseen" }, " from ") : "", letters, remaining);
    if (model) signs.append(h("span", { class: "by-model", title: "A language model worded it; the sources support it." }, h("span", { class: "unseen" }, " worded by a language "), "model"));
    if (isNew) signs.append(h("span", { class: "new-sign" }, "new"));
    if (!tokens.some(({ own }) => own)) return signs;
    const verdict = checked?.verdict || "waiting";
    const [badge, words] = VERDICTS[verdict];
    signs.append(h("button", { type: "button", class: `own-sign plain verdict-${verdict}`, tabindex: -1, "aria-haspopup": "dialog", title: `Your words. ${words}.` }, h("span", { "aria-hidden": "true" }, `✎ ${badge}`), h("span", { class: "unseen" }, ` in your words: ${words}`)));
    return signs;
  }

  // Pointing and holding

  selectionAt(node) {
    const word = this.words.get(node.closest?.(".w"));
    return word ? { type: "word", sentence: word.sentence.id, place: word.place } : null;
  }

  sentenceAt(node) {
    return node?.closest?.(".o")?.dataset.id ?? null;
  }

  onPointer(target) {
    const selection = this.selectionAt(target);
    if (selection) this.actions.show(selection, { rest: true });
  }

  onClick(event) {
    if (this.actions.moveAfter(this.sentenceAt(event.target))) return;
    const number = event.target.closest(".n");
    if (number) {
      this.setStop(number);
      this.actions.menu(this.sentenceAt(number), number);
      return;
    }
    const sign = event.target.closest(".own-sign");
    if (sign) {
      this.setStop(sign);
      this.actions.explain(this.sentenceAt(sign));
      return;
    }
    if (!getSelection().isCollapsed) return;
    const selection = this.selectionAt(event.target);
    if (selection) this.setStop(event.target.closest(".w"));
    this.actions.toggle(selection);
  }

  onContextMenu(event) {
    const id = this.sentenceAt(event.target);
    if (!id || !getSelection().isCollapsed) return;
    event.preventDefault();
    this.actions.menu(id, this.built.get(id).number);
  }

  // Focus a sentence, or the one at its place if it is gone.
  focusOn(id, place = 0, word = undefined) {
    const all = [...this.built.values()];
    const view = this.built.get(id) || all[Math.min(place, all.length - 1)];
    if (!view) return this.node.closest("section")?.querySelector("h2")?.focus();
    this.setStop((this.built.has(id) && this.wordNode(id, word)) || view.number);
    view.node.scrollIntoView({ block: "nearest" });
  }

  wordNode(id, place) {
    return this.built.get(id)?.node.querySelectorAll(".w")[place] ?? null;
  }

  // The words that satisfy a condition, as pairs of node and token.
  wordNodes(condition) {
    return [...this.built.values()].flatMap(({ node, sentence }) => {
      const matches = sentence.tokens.flatMap((token, place) => (condition(token, sentence) ? [[place, token]] : []));
      const nodes = matches.length ? node.querySelectorAll(".w") : [];
      return matches.map(([place, token]) => [nodes[place], token]);
    });
  }

  // Keys

  onKey(event) {
    const id = this.sentenceAt(event.target);
    if (!id || isComposing(event)) return;
    if (this.actions.keys(event, id)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.neighbour(event.key, event.target);
    if (next) {
      this.setStop(next);
      next.scrollIntoView({ block: "nearest" });
    } else if ((event.key === "Enter" || event.key === " ") && event.target.matches(".w")) {
      this.actions.moveAfter(id) || this.actions.toggle(this.selectionAt(event.target));
    } else if (!["ArrowDown", "ArrowUp"].includes(event.key)) {
      return;
    }
    event.preventDefault();
  }

  neighbour(key, from) {
    const sentence = from.closest(".o");
    const numbers = () => [...this.built.values()].map(({ number }) => number);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step) {
      const all = [...this.node.querySelectorAll(".n, .w, .own-sign")];
      return all[all.indexOf(from) + step];
    }
    const number = sentence.querySelector(".n");
    if (key === "ArrowDown") return numbers()[numbers().indexOf(number) + 1];
    if (key === "ArrowUp") return from === number ? numbers()[numbers().indexOf(number) - 1] : number;
    if (key === "Home") return number;
    return key === "End" ? [...sentence.querySelectorAll(".w")].at(-1) : null;
  }

  // Dragging

  dragstart(event) {
    const id = event.target.matches?.(".n") ? this.sentenceAt(event.target) : null;
    if (!id) return;
    this.dragged = id;
    const { node } = this.built.get(id);
    node.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", node.textContent);
  }

  dragover(event) {
    const over = this.dragged && (event.target.closest(".o") || this.nearest(event));
    if (!over) return;
    event.preventDefault();
    const { clientX: x, clientY: y } = event;
    const lines = [...over.getClientRects()];
    const [first, isLast] = [lines[0], lines.at(-1)];
    const isOneLine = lines.length === 1 && first.top <= y && y <= first.bottom;
    const isAfter = isOneLine ? x > (first.left + first.right) / 2 : y > (first.top + isLast.bottom) / 2;
    this.markDropTarget(over, isAfter ? "after" : "before");
  }

  // The sentence that is nearest to a place between lines or paragraphs.
  nearest({ clientX: x, clientY: y }) {
    const distance = (node) => Math.min(...[...node.getClientRects()].map(({ left, right, top, bottom }) =>
      Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))));
    const closest = (nodes) => [...nodes].map((node) => [distance(node), node]).sort(([one], [other]) => one - other)[0]?.[1];
    return closest(closest(this.node.children)?.querySelectorAll(".o") || []);
  }

  dragleave(event) {
    if (!this.node.contains(event.relatedTarget)) this.markDropTarget(null);
  }

  drop(event) {
    if (!this.dragged || !this.target) return;
    event.preventDefault();
    const { node, side } = this.target;
    const dragged = this.dragged;
    this.dragend();
    const others = [...this.built.keys()].filter((id) => id !== dragged);
    const at = others.indexOf(node.dataset.id);
    if (at >= 0) this.actions.move(dragged, side === "after" ? at + 1 : at);
  }

  dragend() {
    this.built.get(this.dragged)?.node.classList.remove("dragged");
    this.dragged = null;
    this.markDropTarget(null);
  }

  markDropTarget(node, side) {
    this.target?.node.classList.remove("before", "after");
    this.target = node ? { node, side } : null;
    node?.classList.add(side);
  }
}

// Return whether a sentence looks the same; unchanged sentences are mostly the same objects.
function isUnchanged({ sentence, marks }, current, marked) {
  const shown = ({ text, tokens, verdict, model, new: isNew }) => JSON.stringify([text, tokens, verdict, model, isNew]);
  return (sentence === current || shown(sentence) === shown(current)) && JSON.stringify(marks) === JSON.stringify(marked);
}

function accountsOf(tokens) {
  return new Set(tokens.flatMap(({ sources }) => sources.map(([account]) => account)).sort((first, other) => first - other));
}

function underlineClass({ own, glue, sources }, from) {
  if (own) return "r own";
  if (glue || !sources.length) return "r glue";
  const lines = from.slice(0, MOST_UNDERLINES).map((account, layer) => `u${layer + 1}-${tint(account)}`);
  return ["r", ...lines, ...(from.length > MOST_UNDERLINES ? ["many"] : [])].join(" ");
}
