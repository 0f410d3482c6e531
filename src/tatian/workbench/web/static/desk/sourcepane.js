// The pane of sources beside the text: the outcome of each sentence, and the places of words.
//
// Words that the text uses are underlined by elements, which are rebuilt only where they change.
// Selected places are CSS highlights. Their ranges are static, as browsers check live ranges at each
// change of the page.

import { fill, h } from "../core/dom.js";
import { Pane } from "./pane.js";
import { colour, day, mark, tint } from "./wording.js";

const TINTS = ["0", "1", "2", "3", "4", "5", "6", "7", "n"];
const highlights = globalThis.CSS?.highlights;

export const OUTCOMES = {
  kept: (into) => `in ${into}`,
  merged: (into) => `in ${into}`,
  redundant: (into) => (into ? `covered by ${into}` : "covered by others"),
  unused: () => "left out",
};

export class SourcePane extends Pane {
  constructor({ show, toggle, menu, pick }) {
    super(".fate");
    this.actions = { show, toggle, menu, pick };
    this.strip = h("div", { class: "strip" });
    this.accounts = [];
    this.current = null;
    this.drawn = "";
    const { strip } = this;
    strip.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.onPointer(event.target));
    strip.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
    strip.addEventListener("click", (event) => this.onClick(event));
    strip.addEventListener("keydown", (event) => this.onKey(event));
    strip.addEventListener("focusin", (event) => this.visit(event.target));
  }

  // Draw new sources at once, but changed ones one per frame, so that keys are handled in between.
  // `ondrawn` is called at the end.
  draw(accounts, { outcomes, numbers, used }, ondrawn) {
    const key = JSON.stringify(accounts.map(({ id, title, source, date, text, sentences }) => [id, title, source, date, text.length, sentences]));
    const isNew = key !== this.drawn;
    if (isNew) {
      this.drawn = key;
      this.accounts = accounts.map((account, index) => build(account, index));
      fill(this.strip, this.accounts.map(({ node }) => node));
    }
    const runs = this.accounts.map(() => []);
    for (const { account, start, end } of joinPlaces(used)) runs[account].push([start, end]);
    cancelAnimationFrame(this.later);
    const step = (index) => {
      const account = this.accounts[index];
      if (!account) {
        if (!this.current?.isConnected) this.setStop(this.strip.querySelector(".fate"), false);
        return ondrawn();
      }
      const changed = [this.drawOutcomes(account, outcomes[index] || [], numbers), underline(account, runs[index])];
      if (isNew || !changed.some(Boolean)) step(index + 1);
      else this.later = requestAnimationFrame(() => step(index + 1));
    };
    step(0);
  }

  drawOutcomes({ sentences, tally }, outcomes, numbers) {
    const counts = { used: 0, covered: 0, out: 0 };
    let changed = false;
    sentences.forEach((sentence, place) => {
      const { fate: outcome = "unused", into = [], decided = false } = outcomes[place] || {};
      const where = into.map((id) => numbers.get(id)).filter(Boolean).join(", ");
      counts[outcome === "unused" ? "out" : outcome === "redundant" ? "covered" : "used"] += 1;
      const name = `s ${outcome}${sentence.opens ? " opens" : ""}${decided ? " decided" : ""}`;
      if (sentence.node.dataset.base !== name) {
        changed = true;
        sentence.node.dataset.base = name;
        sentence.node.className = name;
      }
      const words = OUTCOMES[outcome](where);
      if (sentence.words.data === words) return;
      changed = true;
      sentence.words.data = words;
    });
    if (changed) fill(tally, [[counts.used, "in the text"], [counts.covered, "covered by others"], [counts.out, "left out"]].filter(([number]) => number).map(([number, words]) => `${number} ${words}`).join(" · "));
    return changed;
  }

  // The words of a source between two offsets.
  textOf(account, start, end) {
    const { unit, whole } = this.accounts[account];
    return whole.slice(unit(start), unit(end));
  }

  // The place in a sentence that a range of the page covers, without surrounding blanks; or null.
  placeOf({ startContainer, startOffset, endContainer, endOffset }) {
    const node = startContainer.parentElement?.closest(".s");
    if (!node || !this.strip.contains(node)) return null;
    const [account, number] = [Number(node.dataset.account), Number(node.dataset.number)];
    const { pieces, start, end } = this.accounts[account].sentences[number];
    const at = (container, offset, otherwise) => {
      const piece = pieces.find(({ text }) => text === container);
      return piece ? piece.start + [...piece.text.data.slice(0, offset)].length : otherwise;
    };
    const characters = [...this.textOf(account, start, end)];
    let [from, to] = [at(startContainer, startOffset, null), at(endContainer, endOffset, end)];
    if (from === null) return null;
    while (from < to && /\s/u.test(characters[from - start])) from += 1;
    while (from < to && /\s/u.test(characters[to - start - 1])) to -= 1;
    return from < to ? { account, number, start: from, end: to } : null;
  }

  // The ranges of the page for a place in a source.
  ranges({ account, start, end }) {
    const { sentences, unit } = this.accounts[account] || { sentences: [] };
    const ranges = [];
    for (const sentence of sentences) {
      if (sentence.end <= start || end <= sentence.start) continue;
      for (const piece of sentence.pieces) {
        if (piece.end <= start || end <= piece.start) continue;
        const from = unit(piece.start);
        const range = new StaticRange({
          startContainer: piece.text,
          startOffset: unit(Math.max(start, piece.start)) - from,
          endContainer: piece.text,
          endOffset: unit(Math.min(end, piece.end)) - from,
        });
        ranges.push({ range, sentence, account });
      }
    }
    return ranges;
  }

  paint(places) {
    const painted = joinPlaces(places).flatMap((place) => this.ranges(place));
    for (const name of TINTS) {
      const ranges = painted.filter(({ account }) => tint(account) === name).map(({ range }) => range);
      if (ranges.length) highlights?.set(`lit-${name}`, new Highlight(...ranges));
      else if (highlights?.has(`lit-${name}`)) highlights.delete(`lit-${name}`);
    }
    return painted;
  }

  // Highlight places and sentences, and note the first one of each source for reveal().
  highlight(places, sentences = []) {
    for (const node of this.strip.querySelectorAll(".lit")) node.classList.remove("lit");
    for (const node of this.strip.querySelectorAll(".account.has")) node.classList.remove("has");
    const painted = this.paint(places);
    const firsts = new Map();
    for (const { sentence, account } of painted) {
      sentence.node.classList.add("lit");
      if (!firsts.has(account)) firsts.set(account, sentence.node);
    }
    for (const { account, number } of sentences) {
      const sentence = this.accounts[account]?.sentences[number];
      sentence?.node.classList.add("lit");
      if (sentence && !firsts.has(account)) firsts.set(account, sentence.node);
    }
    for (const account of firsts.keys()) this.accounts[account].node.classList.add("has");
    this.firsts = firsts;
  }

  // Scroll the first highlighted sentence of each source into view.
  reveal() {
    const shown = [...(this.firsts || [])].map(([account, node]) => ({ column: this.accounts[account].node, node }));
    if (!shown.length) return;
    const frame = this.strip.getBoundingClientRect();
    const inside = ({ column }) => {
      const box = column.getBoundingClientRect();
      return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    };
    if (!shown.some(inside)) {
      const { left, top } = shown[0].column.getBoundingClientRect();
      this.strip.scrollBy({ left: left - frame.left, top: top - frame.top, behavior: "instant" });
    }
    for (const { column, node } of shown) {
      const box = column.getBoundingClientRect();
      const top = box.top + column.firstElementChild.offsetHeight;
      const place = node.getBoundingClientRect();
      if (place.top >= top && place.bottom <= Math.min(box.bottom, innerHeight)) continue;
      column.scrollBy({ top: place.top - top - (box.bottom - top) * 0.3, behavior: "instant" });
    }
  }

  // Pointing and keys

  selectionAt(node) {
    const sentence = node.closest?.(".s");
    return sentence ? { type: "source", account: Number(sentence.dataset.account), number: Number(sentence.dataset.number) } : null;
  }

  onPointer(target) {
    const selection = this.selectionAt(target);
    if (selection) this.actions.show(selection);
  }

  onClick(event) {
    const selection = this.selectionAt(event.target);
    const menuButton = event.target.closest(".fate");
    if (this.actions.pick(selection)) return;
    if (menuButton) {
      this.setStop(menuButton);
      this.actions.menu(selection, menuButton);
    } else if (getSelection().isCollapsed) {
      this.actions.toggle(selection);
    }
  }

  focusOn({ account, number }) {
    const sentence = this.accounts[account]?.sentences[number];
    if (sentence) this.setStop(sentence.menuButton);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches(".fate")) return;
    const { account, number } = this.selectionAt(event.target);
    const column = (step) => this.accounts[account + step]?.sentences[0];
    const next = {
      ArrowDown: () => this.accounts[account].sentences[number + 1] || column(1),
      ArrowUp: () => this.accounts[account].sentences[number - 1] || this.accounts[account - 1]?.sentences.at(-1),
      ArrowRight: () => column(1),
      ArrowLeft: () => column(-1),
      Home: () => this.accounts[account].sentences[0],
      End: () => this.accounts[account].sentences.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const sentence = next();
    if (!sentence) return;
    this.setStop(sentence.menuButton);
    sentence.node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function build(account, index) {
  const unit = units(account.text);
  const slice = (start, end) => account.text.slice(unit(start), unit(end));
  const name = account.title || account.source || account.file || account.id;
  const about = [account.source, day(account.date)].filter((text) => text && text !== name).join(" · ");
  const tally = h("p", { class: "fates" });
  const heading = `beside-${index}`;
  const body = [];
  let at = 0;
  const addTextBetween = (end) => {
    if (slice(at, end).trim()) body.push(h("p", { class: "rest", dir: "auto" }, slice(at, end)));
  };
  const sentences = account.sentences.map(([start, end], number) => {
    addTextBetween(start);
    const opens = at > 0 && slice(at, start).includes("\n");
    const words = document.createTextNode("");
    const menuButton = h("button", { type: "button", class: "fate", tabindex: -1, "aria-haspopup": "menu" }, words);
    const node = h("p", { dir: "auto", "data-account": index, "data-number": number }, " ", menuButton);
    body.push(node);
    at = end;
    return { start, end, node, menuButton, words, opens, pieces: [], key: null };
  });
  addTextBetween([...account.text].length);
  const node = h(
    "article",
    { class: `account ${colour(index)}`, "aria-labelledby": heading },
    h("header", {}, h("h3", { id: heading }, mark(index), " ", h("bdi", {}, name)), h("p", { class: "about" }, h("bdi", {}, about)), tally),
    body,
  );
  return { node, sentences, unit, tally, whole: account.text };
}

// Underline the words that the text uses; return whether anything has changed.
function underline(account, runs) {
  let at = 0;
  let changed = false;
  for (const sentence of account.sentences) {
    const { start, end } = sentence;
    const inside = [];
    while (runs[at]?.[1] <= start) at += 1;
    for (let next = at; runs[next]?.[0] < end; next += 1) {
      inside.push([Math.max(runs[next][0], start), Math.min(runs[next][1], end)]);
    }
    const key = inside.join(" ");
    if (sentence.key === key) continue;
    sentence.key = key;
    changed = true;
    rebuild(account, sentence, inside);
  }
  return changed;
}

// Rebuild the words of a sentence; those within `runs` are underlined.
function rebuild({ unit, whole }, sentence, runs) {
  const nodes = [];
  sentence.pieces = [];
  let at = sentence.start;
  const piece = (end, used) => {
    if (end <= at) return;
    const text = document.createTextNode(whole.slice(unit(at), unit(end)));
    sentence.pieces.push({ start: at, end, text });
    nodes.push(used ? h("span", { class: "u" }, text) : text);
    at = end;
  };
  for (const [start, end] of runs) {
    piece(start, false);
    piece(end, true);
  }
  piece(sentence.end, false);
  sentence.node.replaceChildren(...nodes, " ", sentence.menuButton);
}

// A function from offsets in characters, as of the server, to offsets in UTF-16 units.
export function units(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
  const starts = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  return (offset) => starts[offset] ?? at;
}

// Sort places, and join those with only a blank between them.
function joinPlaces(places) {
  const runs = [];
  const order = (one, other) => one.account - other.account || one.start - other.start;
  for (const { account, start, end } of [...places].sort(order)) {
    const last = runs.at(-1);
    if (last?.account === account && start <= last.end + 1) last.end = Math.max(last.end, end);
    else runs.push({ account, start, end });
  }
  return runs;
}
