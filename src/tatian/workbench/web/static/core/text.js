// Words with offsets, the same on the page and on the server (tasks/words.py; a test compares).
//
// Offsets count characters as Python does (code points), not JavaScript's UTF-16 units.
// A word is a stretch without white space or dashes, without the punctuation around it; where a
// script is written without spaces (Chinese, Japanese, Thai ...) each character is one.
//
//   words(text)            [{start, end, text}] in the order of the text
//   part(text, start, end) the characters between two offsets
//   folded(word)           the form in which words are compared: case and apostrophes do not count
//   alike(a, b)            whether two words are the same up to an English ending (crash, crashed)
//   Vocabulary(text)       .has(word): whether a word alike stands in the text
//   vocabulary(text)       the same, remembered while the same texts are asked for
//   unlike(text, other)    the words of a text, each once, that the other has nothing alike to
//   stretches(text, words, chosen)  chosen indices of words (a Set) as [{start, end}], neighbours
//                          joined where nothing but blanks or commas lies between them
//   within(words, spans)   the opposite: a Set of the indices of words inside the spans
//   pieces(text, words)    [{text, word: index | null}]: the whole text, words and what is between

const ALONE =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u4DBF" +
  "\\u4E00-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}";
const WORD = new RegExp(
  `[${ALONE}]|[^\\s\\u2012-\\u2015${ALONE}]+`,
  "gu",
);
const EDGES = /^\p{P}*|\p{P}*$/gu;
const ENDINGS = ["", "s", "es", "d", "ed", "e", "ing", "'s", "y", "ies", "ied"];
const STEM = 4;

export function words(text) {
  const found = [];
  let units = 0;
  let points = 0;
  for (const match of text.matchAll(WORD)) {
    const lead = match[0].match(/^\p{P}*/u)[0];
    const word = match[0].replace(EDGES, "");
    if (!word) continue;
    const begin = match.index + lead.length;
    points += length(text.slice(units, begin));
    units = begin;
    const end = points + length(word);
    found.push({ start: points, end, text: word });
  }
  return found;
}

export function length(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function part(text, start, end) {
  return [...text].slice(start, end).join("");
}

export function folded(word) {
  return word.normalize("NFC").replace(/[\u2018\u2019\u02BC]/g, "'").toLowerCase();
}

export function alike(a, b) {
  const first = folded(a);
  const second = folded(b);
  if (first === second) return true;
  return stems(first).some((stem) => stems(second).includes(stem));
}

function stems(word) {
  return ENDINGS.filter((ending) => word.endsWith(ending))
    .map((ending) => word.slice(0, word.length - ending.length))
    .filter((stem) => stem.length >= STEM && /^[a-z]+$/.test(stem));
}

export class Vocabulary {
  constructor(text) {
    this.forms = new Set(words(text).map((word) => folded(word.text)));
    this.stems = new Set([...this.forms].flatMap(stems));
  }

  has(word) {
    const form = folded(word);
    return this.forms.has(form) || stems(form).some((stem) => this.stems.has(stem));
  }
}

const REMEMBERED = 16;
const vocabularies = new Map();

export function vocabulary(text) {
  if (!vocabularies.has(text)) {
    if (vocabularies.size >= REMEMBERED) vocabularies.clear();
    vocabularies.set(text, new Vocabulary(text));
  }
  return vocabularies.get(text);
}

export function unlike(text, other) {
  const there = vocabulary(other);
  const missing = words(text).filter((word) => !there.has(word.text));
  return [...new Map(missing.map((word) => [folded(word.text), word.text])).values()];
}

export function stretches(text, all, chosen) {
  const spans = [];
  const points = [...text];
  all.forEach((word, index) => {
    if (!chosen.has(index)) return;
    const last = spans.at(-1);
    const joined =
      last && chosen.has(index - 1) && /^[\s,]*$/.test(points.slice(last.end, word.start).join(""));
    if (joined) last.end = word.end;
    else spans.push({ start: word.start, end: word.end });
  });
  return spans;
}

export function within(all, spans) {
  const inside = (word) => spans.some((span) => span.start < word.end && word.start < span.end);
  return new Set(all.flatMap((word, index) => (inside(word) ? [index] : [])));
}

export function pieces(text, all = words(text)) {
  const points = [...text];
  const found = [];
  let at = 0;
  const take = (end, word) => {
    if (end > at) found.push({ text: points.slice(at, end).join(""), word });
    at = end;
  };
  all.forEach((word, index) => {
    take(word.start, null);
    take(word.end, index);
  });
  take(points.length, null);
  return found;
}
