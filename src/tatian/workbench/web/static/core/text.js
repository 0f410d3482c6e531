// Words with offsets, equal to those of the server (tasks/words.py; a test compares them).
//
// Offsets count characters as Python does (code points), not JavaScript's UTF-16 units.
// A word has no white space or dashes, and no punctuation around it. In scripts without spaces
// (Chinese, Japanese, Thai ...) each character is a word.
//
//   words(text)                  [{start, end, text}] in the order of the text
//   characters(text, start, end) the characters between two offsets
//   countCharacters(text)        their number
//   fold(word)                   a word for comparison, without case and kind of apostrophe
//   new Vocabulary(text)         .has(word): whether the text has the word up to an English ending
//                                (crash, crashed)
//   vocabulary(text)             the same, cached
//   missingWords(text, other)    the words of a text that the other lacks, each once
//   toSpans(text, words, chosen) the chosen words (a Set of indices) as [{start, end}]; neighbours
//                                are joined if only blanks or commas lie between them
//   indicesWithin(words, spans)  a Set of the indices of words inside spans
//   pieces(text, words)          [{text, word: index | null}]: words and the text between them

const SINGLE =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u4DBF" +
  "\\u4E00-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}";
const WORD = new RegExp(
  `[${SINGLE}]|[^\\s\\u2012-\\u2015${SINGLE}]+`,
  "gu",
);
const EDGES = /^\p{P}*|\p{P}*$/gu;
const ENDINGS = ["", "s", "es", "d", "ed", "e", "ing", "'s", "y", "ies", "ied"];
const SHORTEST_STEM = 4;

export function words(text) {
  const words = [];
  let units = 0;
  let points = 0;
  for (const match of text.matchAll(WORD)) {
    const lead = match[0].match(/^\p{P}*/u)[0];
    const word = match[0].replace(EDGES, "");
    if (!word) continue;
    const begin = match.index + lead.length;
    points += countCharacters(text.slice(units, begin));
    units = begin;
    const end = points + countCharacters(word);
    words.push({ start: points, end, text: word });
  }
  return words;
}

export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function characters(text, start, end) {
  return [...text].slice(start, end).join("");
}

export function fold(word) {
  return word.normalize("NFC").replace(/[\u2018\u2019\u02BC]/g, "'").toLowerCase();
}

function stems(word) {
  return ENDINGS.filter((ending) => word.endsWith(ending))
    .map((ending) => word.slice(0, word.length - ending.length))
    .filter((stem) => stem.length >= SHORTEST_STEM && /^[a-z]+$/.test(stem));
}

export class Vocabulary {
  constructor(text) {
    this.forms = new Set(words(text).map((word) => fold(word.text)));
    this.stems = new Set([...this.forms].flatMap(stems));
  }

  has(word) {
    const form = fold(word);
    return this.forms.has(form) || stems(form).some((stem) => this.stems.has(stem));
  }
}

const MOST_VOCABULARIES = 16;
const vocabularies = new Map();

export function vocabulary(text) {
  if (!vocabularies.has(text)) {
    if (vocabularies.size >= MOST_VOCABULARIES) vocabularies.clear();
    vocabularies.set(text, new Vocabulary(text));
  }
  return vocabularies.get(text);
}

export function missingWords(text, other) {
  const known = vocabulary(other);
  const missing = words(text).filter((word) => !known.has(word.text));
  return [...new Map(missing.map((word) => [fold(word.text), word.text])).values()];
}

export function toSpans(text, all, chosen) {
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

export function indicesWithin(all, spans) {
  const inside = (word) => spans.some((span) => span.start < word.end && word.start < span.end);
  return new Set(all.flatMap((word, index) => (inside(word) ? [index] : [])));
}

export function pieces(text, all = words(text)) {
  const points = [...text];
  const runs = [];
  let at = 0;
  const addPiece = (end, word) => {
    if (end > at) runs.push({ text: points.slice(at, end).join(""), word });
    at = end;
  };
  all.forEach((word, index) => {
    addPiece(word.start, null);
    addPiece(word.end, index);
  });
  addPiece(points.length, null);
  return runs;
}
