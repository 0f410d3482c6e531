// Links as labelers of the benchmark typed them: one `term#page` a line, in the order of the text.
//
//   parse(text, typed) -> {mentions: [{start, end, title, line}], problems: [{line, message}]}
//     text   a Text of rules.js. A term that stands at several places means them one after
//            the other; `term(36,42)#page` names one. The same place twice: two pages for one term.

import { same, titleIn, titleProblem, within } from "./rules.js";

const PLACED = /^(.*\S)\s*\((\d+)\s*,\s*(\d+)\)$/su;

export function parse(text, typed) {
  const mentions = [];
  const problems = [];
  typed.split("\n").forEach((content, index) => {
    if (!content.trim()) return;
    const line = index + 1;
    const found = entry(text, content, mentions);
    if (found.problem) problems.push({ line, message: found.problem });
    else mentions.push({ ...found, line });
  });
  return { mentions, problems };
}

function entry(text, line, before) {
  const { term, page } = divided(text, line);
  if (page === null) return { problem: "Write term#page, such as ferry#Ferry." };
  if (!term) return { problem: "There is no term before the #." };
  const title = titleIn(page);
  const wrong = titleProblem(title);
  if (wrong) return { problem: wrong };
  const places = placesOf(text, term);
  if (!places.length) return { problem: missing(text, term) };
  const last = before.at(-1);
  const free = places.filter((place) => !before.some((one) => same(one, place) && one.title === title));
  const later = free.filter(({ start }) => !last || start >= last.start);
  const next = later.find((place) => !before.some((one) => within(place, one))) || later[0];
  if (next) return { ...next, title };
  if (!free.length) return { problem: `“${term}” is linked to “${title}” at all its places already.` };
  const previous = text.part(last.start, last.end);
  return { problem: `“${term}” stands before “${previous}”: write terms in the order of the text.` };
}

// A term may hold # itself (C#), and so may an address: the longest term that stands in the text.
function divided(text, line) {
  const places = [...line.matchAll(/#/g)].map(({ index }) => index);
  if (!places.length) return { term: line.trim(), page: null };
  const parts = places.map((at) => ({ term: line.slice(0, at).trim(), page: line.slice(at + 1) }));
  return parts.reverse().find(({ term }) => placesOf(text, term).length) || parts.at(-1);
}

function placesOf(text, term) {
  const found = text.places(term);
  const placed = found.length ? null : term.match(PLACED);
  if (!placed) return found;
  const span = { start: Number(placed[2]), end: Number(placed[3]) };
  return text.part(span.start, span.end) === placed[1] ? [span] : [];
}

function missing(text, term) {
  const placed = term.match(PLACED);
  if (placed && text.places(placed[1]).length) {
    return `“${placed[1]}” is not at ${placed[2]} to ${placed[3]}.`;
  }
  const lower = text.text.toLowerCase().indexOf(term.toLowerCase());
  const written = text.text.slice(lower, lower + term.length);
  const hint = lower >= 0 && written.toLowerCase() === term.toLowerCase() ? `: it has “${written}”` : "";
  return `The text does not have “${term}” exactly like this${hint}.`;
}
