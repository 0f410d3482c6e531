// Whether a phrase lists things instead of naming them all at once: tasks/aggregation/lists.py in
// the browser (a test compares the two).
//
//   joined(phrase, names, told) -> {lists, named, doubtful}
//     lists     parts of it are names, or parts of names, of several entities
//     named     each "and" of it belongs to a name, as far as can be seen
//     doubtful  it may be read as a list
//   bare(text)   without accents

const TOKEN = /(?<!\S)(?<joins>as\s+well\s+as|and|or|&)(?!\S)|(?<mark>[,;،、，；])|[\p{L}\p{N}]+/giu;
const COMMAS = ",،、，";
const SHORTEST_PLURAL = 4;
const NO_PLURAL = ["ss", "us", "is"];

export function joined(phrase, names, { determiners, numbers }) {
  const begins = new Set(["the", ...determiners]);
  const tokens = tokensOf(phrase);
  const named = names.map(tokensOf);
  const own = withinNames(tokens, named);
  const places = joints(tokens).filter((place) => !own.has(place));
  const known = named.map((name) => new Set(name.filter(({ joins }) => !joins).map(({ word }) => word)));
  const ands = [...tokens.keys()].filter((place) => tokens[place].joins && tokens[place].word === "and");
  const isNumber = (word) => Object.hasOwn(numbers, word) || /^\p{Nd}+$/u.test(word);
  return {
    lists: lists(parts(tokens, places, begins), known),
    named: ands.every((place) => own.has(place) || withinName(tokens, place, known)),
    doubtful: places.some((place) =>
      doubtful(tokens, place, (word) => begins.has(word) || isNumber(word))),
  };
}

export function bare(text) {
  const base = (character) =>
    "’‘".includes(character) ? "'" : [...character.normalize("NFD")][0];
  return [...text].map(base).join("");
}

function tokensOf(phrase) {
  return [...bare(phrase).matchAll(TOKEN)].map(({ 0: found, groups }) => {
    const text = found.split(/\s+/).join(" ");
    const [first] = text;
    return {
      text,
      word: text.toLowerCase(),
      joins: Boolean(groups.joins || groups.mark),
      capital: first !== first.toLowerCase(),
    };
  });
}

// Where something joins two words; a comma within a number does not.
function joints(tokens) {
  const words = [...tokens.keys()].filter((place) => !tokens[place].joins);
  const digits = (place) => /^\p{Nd}+$/u.test(tokens[place].text);
  return words.slice(1).flatMap((after, index) => {
    const before = words[index];
    if (digits(before) && digits(after)) return [];
    return Array.from({ length: after - before - 1 }, (_, step) => before + 1 + step);
  });
}

// The places of tokens that belong to an entity's whole name.
function withinNames(tokens, names) {
  const found = new Set();
  for (const name of names) {
    if (!name.length) continue;
    for (let start = 0; start + name.length <= tokens.length; start += 1) {
      if (!name.every(({ word }, index) => tokens[start + index].word === word)) continue;
      name.forEach((_, index) => found.add(start + index));
    }
  }
  return found;
}

// The words between joints, without determiners.
function parts(tokens, places, determiners) {
  const ends = [-1, ...places, tokens.length];
  return ends.slice(1).map((after, index) =>
    tokens.slice(ends[index] + 1, after)
      .filter(({ joins, word }) => !joins && !determiners.has(word))
      .map(({ word }) => word));
}

// Whether two parts are made of the words of two entities' names: first names, Sony.
function lists(found, known) {
  const fitting = found.filter((part) => part.length)
    .map((part) => [...known.keys()].filter((place) => part.every((word) => known[place].has(word))))
    .filter((places) => places.length);
  return fitting.length > 1 && new Set(fitting.flat()).size > 1;
}

// Whether an "and" stands between capitals that are in no entity's name: in another name.
function withinName(tokens, place, known) {
  const theirs = ({ word }) => known.some((name) => name.has(word));
  return [tokens[place - 1], tokens[place + 1]].every((one) => one?.capital && !theirs(one));
}

// Whether what stands here joins two things; a comma may divide adjectives instead.
function doubtful(tokens, place, begins) {
  if (tokens[place].word === "and") return false;
  if (!COMMAS.includes(tokens[place].text)) return true;
  const [before, after] = [tokens[place - 1], tokens[place + 1]];
  const last = tokens.findLast(({ joins }) => !joins);
  return begins(after.word) || (before.capital && after.capital) ||
    (isPlural(before.word) && isPlural(last.word));
}

function isPlural(word) {
  return [...word].length >= SHORTEST_PLURAL && word.endsWith("s") &&
    !NO_PLURAL.some((ending) => word.endsWith(ending));
}
