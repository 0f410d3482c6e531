// Links typed as in the benchmark: one `term#page` a line, in the order of the text.
//
//   parse(text, typed) -> {mentions: [{start, end, title, line}], problems: [{line, message}]}
//     text   a Text of rules.js. A repeated term means its next place in the text, and
//            `term(36,42)#page` a certain one. Two lines with one place give it two pages.

import { isSamePlace, isWithin, parseTitle, titleProblem } from "./rules.js";

const TERM_WITH_OFFSETS = /^(.*\S)\s*\((\d+)\s*,\s*(\d+)\)$/su;

export function parse(text, typed) {
  const mentions = [];
  const problems = [];
  typed.split("\n").forEach((content, index) => {
    if (!content.trim()) return;
    const line = index + 1;
    const mention = parseLine(text, content, mentions);
    if (mention.problem) problems.push({ line, message: mention.problem });
    else mentions.push({ ...mention, line });
  });
  return { mentions, problems };
}

function parseLine(text, line, earlier) {
  const { term, page } = splitLine(text, line);
  if (page === null) return { problem: "Write term#page, such as ferry#Ferry." };
  if (!term) return { problem: "There is no term before the #." };
  const title = parseTitle(page);
  const titleError = titleProblem(title);
  if (titleError) return { problem: titleError };
  const places = placesOf(text, term);
  if (!places.length) return { problem: missingTermMessage(text, term) };
  const last = earlier.at(-1);
  const free = places.filter((place) => !earlier.some((mention) => isSamePlace(mention, place) && mention.title === title));
  const later = free.filter(({ start }) => !last || start >= last.start);
  const next = later.find((place) => !earlier.some((mention) => isWithin(place, mention))) || later[0];
  if (next) return { ...next, title };
  if (!free.length) return { problem: `“${term}” is linked to “${title}” at all its places already.` };
  const previous = text.part(last.start, last.end);
  return { problem: `“${term}” stands before “${previous}”: write terms in the order of the text.` };
}

// Terms (C#) and addresses may contain #: choose the longest term that the text has.
function splitLine(text, line) {
  const places = [...line.matchAll(/#/g)].map(({ index }) => index);
  if (!places.length) return { term: line.trim(), page: null };
  const parts = places.map((at) => ({ term: line.slice(0, at).trim(), page: line.slice(at + 1) }));
  return parts.reverse().find(({ term }) => placesOf(text, term).length) || parts.at(-1);
}

function placesOf(text, term) {
  const places = text.places(term);
  const withOffsets = places.length ? null : term.match(TERM_WITH_OFFSETS);
  if (!withOffsets) return places;
  const span = { start: Number(withOffsets[2]), end: Number(withOffsets[3]) };
  return text.part(span.start, span.end) === withOffsets[1] ? [span] : [];
}

function missingTermMessage(text, term) {
  const withOffsets = term.match(TERM_WITH_OFFSETS);
  if (withOffsets && text.places(withOffsets[1]).length) {
    return `“${withOffsets[1]}” is not at ${withOffsets[2]} to ${withOffsets[3]}.`;
  }
  const lower = text.text.toLowerCase().indexOf(term.toLowerCase());
  const written = text.text.slice(lower, lower + term.length);
  const hint = lower >= 0 && written.toLowerCase() === term.toLowerCase() ? `: it has “${written}”` : "";
  return `The text does not have “${term}” exactly like this${hint}.`;
}
