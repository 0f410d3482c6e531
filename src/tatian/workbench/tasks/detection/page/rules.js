// The rules of tasks/detection/rules.py and of LinkedTerm in the browser, so that mistakes show before
// an answer is sent. A test compares the two.
//
//   const text = new Text(string)      .part(start, end); .places(term): [{start, end}] of a term as
//                                      whole words, or else within words; .units: [{start, end, text}]
//                                      the pieces that can be selected
//   parseTitle(written)                the title in an address, in `uri:...` or as typed
//   titleProblem(title)                why a title cannot be linked, or ""
//   termProblem(term, never)           why a term cannot be linked, or ""
//   problemsOf(text, mentions, never)  [[message]] for each of [{start, end, title}]
//   coverMentions(text, mentions)      the linked characters, for otherPlaces
//   otherPlaces(text, span, covered)   the unlinked places of a term; its first letter may differ in
//                                      case
//   linksByWord(words, mentions)       {links: Map(index of a word -> mentions), joined: Set(indices
//                                      of words whose link continues from the word before)}
//   sortMentions(mentions)             in the order of the text, each once

import { countCharacters } from "../../core/text.js";

const LETTER = "\\p{L}\\p{N}\\p{M}_";
const SINGLE =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u4DBF" +
  "\\u4E00-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}";
// Initials with their dots are one piece, and so are C++ and C#; others are letters and digits.
const UNIT = new RegExp(
  `[${SINGLE}]\\p{M}*|(?:\\p{L}\\.){2,}|(?:(?![${SINGLE}])[\\p{L}\\p{N}\\p{M}])+[+#]*`,
  "gu",
);
const ADDRESS = /^(?:https?:)?\/\/|^[\w.-]+\.(?:org|com|net)\//i;
const LONGEST = 300;
// Titles of Wikipedia's list pages; "Index of dispersion" is an article.
const LIST = /^(?:(?:lists?|outline|timeline|glossary) of |index of .* articles$)/;

export class Text {
  constructor(text) {
    this.text = text;
    this.points = [...text];
    this.cache = new Map();
    this.units = [...text.matchAll(UNIT)].map(({ 0: piece, index }) => {
      const start = this.toCharacterOffset(index);
      return { start, end: start + countCharacters(piece), text: piece };
    });
  }

  part(start, end) {
    return this.points.slice(start, end).join("");
  }

  // The offset in characters of an offset in UTF-16 units.
  toCharacterOffset(unit) {
    if (this.text.length === this.points.length) return unit;
    this.offsets ??= this.points.flatMap((point, index) => Array(point.length).fill(index));
    return this.offsets[unit];
  }

  places(term) {
    if (!this.cache.has(term)) this.cache.set(term, this.find(term));
    return this.cache.get(term);
  }

  find(term) {
    if (!term) return [];
    const exact = term.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    const asWords = this.matches(new RegExp(`(?<![${LETTER}])${exact}(?![${LETTER}])`, "gu"), term);
    return asWords.length ? asWords : this.matches(new RegExp(exact, "gu"), term);
  }

  matches(pattern, term) {
    const size = countCharacters(term);
    return [...this.text.matchAll(pattern)].map(({ index }) => {
      const start = this.toCharacterOffset(index);
      return { start, end: start + size };
    });
  }
}

export function parseTitle(written) {
  const text = written.trim();
  if (!ADDRESS.test(text)) return pageTitle(decode(text.replace(/^uri:/i, "")));
  let address;
  try {
    address = new URL(text.replace(/^(?:https?:)?\/\//i, "https://").replace(/^(?!https:)/, "https://"));
  } catch {
    return "";
  }
  const query = address.searchParams.get("title");
  const path = address.pathname.match(/^\/(?:wiki|resource|page)\/(.+)$/);
  if (!query && !path) return "";
  return pageTitle((query || decode(path[1])) + decode(address.hash));
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pageTitle(title) {
  const normalized = title.replace(/_/g, " ").split(/\s+/).filter(Boolean).join(" ");
  const [first = "", ...rest] = normalized;
  return first.toUpperCase() + rest.join("");
}

export function titleProblem(title) {
  const normalized = title.replace(/_/g, " ").toLowerCase().trim().replace(/\s+/g, " ");
  if (!normalized) return "That is no page: give a Wikipedia address or a title.";
  if (normalized.includes("#")) return `“${title}” is a section of a page: link the page.`;
  if (LIST.test(normalized)) return `“${title}” is a list: link the thing itself.`;
  if (normalized.endsWith("(disambiguation)")) {
    return `“${title}” is a disambiguation page: link the meaning.`;
  }
  return countCharacters(title) > LONGEST ? "That title is too long." : "";
}

export function termProblem(term, never) {
  const isCapitals = countCharacters(term) > 1 && term === term.toUpperCase() && term !== term.toLowerCase();
  if (never.includes(term.toLowerCase()) && !isCapitals) {
    return `“${term}” is a pronoun: link only what names a thing itself.`;
  }
  if (!term.trim()) return "A term needs letters.";
  return term === term.trim() ? "" : `“${term}” begins or ends with a blank: leave it out.`;
}

export function problemsOf(text, mentions, never) {
  const outer = findOuter(mentions);
  return mentions.map((mention, index) => [
    termProblem(text.part(mention.start, mention.end), never),
    titleProblem(mention.title),
    outer[index]
      ? `Lies within “${text.part(outer[index].start, outer[index].end)}”, which is linked: link the longest phrase only.`
      : "",
  ].filter(Boolean));
}

// The longest mention that contains each mention, or null.
function findOuter(mentions) {
  const outer = mentions.map(() => null);
  const order = mentions.map((mention, index) => ({ mention, index }))
    .sort((a, b) => a.mention.start - b.mention.start || b.mention.end - a.mention.end);
  let open = [];
  for (const { mention, index } of order) {
    open = open.filter(({ end }) => end > mention.start);
    outer[index] = open.reduce((longest, other) =>
      (isWithin(mention, other) && (!longest || isWithin(longest, other)) ? other : longest), null);
    open.push(mention);
  }
  return outer;
}

export function isWithin(inner, outer) {
  const longer = outer.end - outer.start > inner.end - inner.start;
  return longer && outer.start <= inner.start && inner.end <= outer.end;
}

export function isSamePlace(mention, other) {
  return mention.start === other.start && mention.end === other.end;
}

export function coverMentions(text, mentions) {
  const covered = new Uint8Array(text.points.length);
  for (const { start, end } of mentions) covered.fill(1, start, end);
  return covered;
}

export function otherPlaces(text, span, covered) {
  const term = text.part(span.start, span.end);
  return [term, ...caseVariants(term)]
    .flatMap((form) => text.places(form))
    .filter(({ start, end }) => !covered.subarray(start, end).includes(1))
    .filter(({ start, end }) => end <= span.start || span.end <= start)
    .sort((a, b) => a.start - b.start);
}

// A term with a capital and with a small first letter, unless it is all capitals.
function caseVariants(term) {
  const [first, ...rest] = term;
  const forms = [first.toUpperCase(), first.toLowerCase()].map((letter) => letter + rest.join(""));
  const letters = [...term].filter((letter) => letter !== letter.toLowerCase());
  const isCapitals = letters.length > 1 && term === term.toUpperCase();
  return isCapitals ? [] : [...new Set(forms)].filter((form) => form !== term);
}

export function linksByWord(words, mentions) {
  const links = new Map();
  const joined = new Set();
  for (const mention of mentions) {
    const first = firstEndingAfter(words, mention.start);
    for (let index = first; index < words.length && words[index].start < mention.end; index += 1) {
      links.set(index, [...(links.get(index) || []), mention]);
      if (index > first) joined.add(index);
    }
  }
  return { links, joined };
}

// The index of the first word that ends after an offset.
function firstEndingAfter(words, offset) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle].end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function sortMentions(mentions) {
  const key = ({ start, end, title }) => JSON.stringify([start, end, title]);
  const unique = [...new Map(mentions.map((mention) => [key(mention), mention])).values()];
  return unique.sort((a, b) => a.start - b.start || a.end - b.end || (a.title < b.title ? -1 : 1));
}
