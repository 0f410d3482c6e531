// What may be linked, and to what: the rules of tasks/detection/rules.py and of LinkedTerm, so that
// a mistake shows before it is sent (a test compares the two).
//
//   const text = new Text(string)      .part(start, end); .places(term): [{start, end}] where a term
//                                      stands as whole words, or within words if nowhere as whole
//                                      ones; .units: [{start, end, text}] the pieces one can select
//   titleIn(written)                   a page's title out of an address, `uri:...` or a title
//   titleProblem(title)                why no term may have it, or ""
//   termProblem(term, never)           why it may not be linked, or ""
//   problemsOf(text, mentions, never)  [[text]]: what is wrong with each of [{start, end, title}]
//   cover(text, mentions)              which characters are linked, for otherPlaces
//   otherPlaces(text, span, covered)   where else a term stands, with nothing linked there; its first
//                                      letter may be a capital there and not here
//   inWords(words, mentions)           {links: Map(index of a word -> mentions), joined: Set(indices
//                                      of words that a mention goes on to from the word before)}
//   ordered(mentions)                  in the order of the text, each once

import { length } from "../../core/text.js";

const LETTER = "\\p{L}\\p{N}\\p{M}_";
const ALONE =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u4DBF" +
  "\\u4E00-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}";
// Initials with their dots are one piece, and so are C++ and C#; all else ends with its letters.
const UNIT = new RegExp(
  `[${ALONE}]\\p{M}*|(?:\\p{L}\\.){2,}|(?:(?![${ALONE}])[\\p{L}\\p{N}\\p{M}])+[+#]*`,
  "gu",
);
const ADDRESS = /^(?:https?:)?\/\/|^[\w.-]+\.(?:org|com|net)\//i;
const LONGEST = 300;
// What Wikipedia calls its list pages; "Index of dispersion" is an article.
const LIST = /^(?:(?:lists?|outline|timeline|glossary) of |index of .* articles$)/;

export class Text {
  constructor(text) {
    this.text = text;
    this.points = [...text];
    this.remembered = new Map();
    this.units = [...text.matchAll(UNIT)].map(({ 0: found, index }) => {
      const start = this.point(index);
      return { start, end: start + length(found), text: found };
    });
  }

  part(start, end) {
    return this.points.slice(start, end).join("");
  }

  // The offset in characters of an offset in UTF-16 units.
  point(unit) {
    if (this.text.length === this.points.length) return unit;
    this.offsets ??= this.points.flatMap((point, index) => Array(point.length).fill(index));
    return this.offsets[unit];
  }

  places(term) {
    if (!this.remembered.has(term)) this.remembered.set(term, this.look(term));
    return this.remembered.get(term);
  }

  look(term) {
    if (!term) return [];
    const exact = term.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    const whole = this.found(new RegExp(`(?<![${LETTER}])${exact}(?![${LETTER}])`, "gu"), term);
    return whole.length ? whole : this.found(new RegExp(exact, "gu"), term);
  }

  found(pattern, term) {
    const size = length(term);
    return [...this.text.matchAll(pattern)].map(({ index }) => {
      const start = this.point(index);
      return { start, end: start + size };
    });
  }
}

export function titleIn(written) {
  const given = written.trim();
  if (!ADDRESS.test(given)) return pageTitle(decoded(given.replace(/^uri:/i, "")));
  let address;
  try {
    address = new URL(given.replace(/^(?:https?:)?\/\//i, "https://").replace(/^(?!https:)/, "https://"));
  } catch {
    return "";
  }
  const query = address.searchParams.get("title");
  const path = address.pathname.match(/^\/(?:wiki|resource|page)\/(.+)$/);
  if (!query && !path) return "";
  return pageTitle((query || decoded(path[1])) + decoded(address.hash));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function pageTitle(title) {
  const plain = title.replace(/_/g, " ").split(/\s+/).filter(Boolean).join(" ");
  const [first = "", ...rest] = plain;
  return first.toUpperCase() + rest.join("");
}

export function titleProblem(title) {
  const plain = title.replace(/_/g, " ").toLowerCase().trim().replace(/\s+/g, " ");
  if (!plain) return "That is no page: give a Wikipedia address or a title.";
  if (plain.includes("#")) return `“${title}” is a section of a page: link the page.`;
  if (LIST.test(plain)) return `“${title}” is a list: link the thing itself.`;
  if (plain.endsWith("(disambiguation)")) {
    return `“${title}” is a disambiguation page: link the meaning.`;
  }
  return length(title) > LONGEST ? "That title is too long." : "";
}

export function termProblem(term, never) {
  const capitals = length(term) > 1 && term === term.toUpperCase() && term !== term.toLowerCase();
  if (never.includes(term.toLowerCase()) && !capitals) {
    return `“${term}” is a pronoun: link only what names a thing itself.`;
  }
  if (!term.trim()) return "A term needs letters.";
  return term === term.trim() ? "" : `“${term}” begins or ends with a blank: leave it out.`;
}

export function problemsOf(text, mentions, never) {
  const outer = outermost(mentions);
  return mentions.map((one, index) => [
    termProblem(text.part(one.start, one.end), never),
    titleProblem(one.title),
    outer[index]
      ? `Lies within “${text.part(outer[index].start, outer[index].end)}”, which is linked: link the longest phrase only.`
      : "",
  ].filter(Boolean));
}

// The longest mention that each lies within, or null: those before it in the text that go on.
function outermost(mentions) {
  const found = mentions.map(() => null);
  const order = mentions.map((one, index) => ({ one, index }))
    .sort((a, b) => a.one.start - b.one.start || b.one.end - a.one.end);
  let going = [];
  for (const { one, index } of order) {
    going = going.filter(({ end }) => end > one.start);
    found[index] = going.reduce((longest, other) =>
      (within(one, other) && (!longest || within(longest, other)) ? other : longest), null);
    going.push(one);
  }
  return found;
}

export function within(inner, outer) {
  const longer = outer.end - outer.start > inner.end - inner.start;
  return longer && outer.start <= inner.start && inner.end <= outer.end;
}

export function same(one, other) {
  return one.start === other.start && one.end === other.end;
}

export function cover(text, mentions) {
  const covered = new Uint8Array(text.points.length);
  for (const { start, end } of mentions) covered.fill(1, start, end);
  return covered;
}

export function otherPlaces(text, span, covered) {
  const term = text.part(span.start, span.end);
  return [term, ...begun(term)]
    .flatMap((form) => text.places(form))
    .filter(({ start, end }) => !covered.subarray(start, end).includes(1))
    .filter(({ start, end }) => end <= span.start || span.end <= start)
    .sort((a, b) => a.start - b.start);
}

// A term as it is written at the beginning of a sentence and within one.
function begun(term) {
  const [first, ...rest] = term;
  const forms = [first.toUpperCase(), first.toLowerCase()].map((letter) => letter + rest.join(""));
  const letters = [...term].filter((letter) => letter !== letter.toLowerCase());
  const capitals = letters.length > 1 && term === term.toUpperCase();
  return capitals ? [] : [...new Set(forms)].filter((form) => form !== term);
}

export function inWords(words, mentions) {
  const links = new Map();
  const joined = new Set();
  for (const mention of mentions) {
    const first = after(words, mention.start);
    for (let index = first; index < words.length && words[index].start < mention.end; index += 1) {
      links.set(index, [...(links.get(index) || []), mention]);
      if (index > first) joined.add(index);
    }
  }
  return { links, joined };
}

// The index of the first word that ends after an offset.
function after(words, offset) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle].end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function ordered(mentions) {
  const key = ({ start, end, title }) => JSON.stringify([start, end, title]);
  const once = [...new Map(mentions.map((one) => [key(one), one])).values()];
  return once.sort((a, b) => a.start - b.start || a.end - b.end || (a.title < b.title ? -1 : 1));
}
