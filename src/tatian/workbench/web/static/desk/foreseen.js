// The text after a decision as far as that needs no server, so that it is seen at once; what the
// server answers then stands in its place.
//
//   FORESEEN[kind](sentences, decision)   the sentences, or null where only the server knows

const WORD = /[\p{L}\p{N}]+(?:['’.,:][\p{L}\p{N}]+)*|\S/gu;
const STRAY = /[,;:–—-]\s*$/u;

export const FORESEEN = {
  drop: (sentences, { sentence }) => without(sentences, sentence),
  move: (sentences, { sentence, after, opens = false }) => {
    const rest = without(sentences, sentence);
    const at = rest.findIndex(({ id }) => id === after) + 1;
    const moved = { ...sentences.find(({ id }) => id === sentence), opens: opens || at === 0 };
    if (at === 0 && rest.length && !opens) rest[0] = { ...rest[0], opens: false };
    return rest.toSpliced(at, 0, moved);
  },
  edit: (sentences, { sentence, text }) =>
    instead(sentences, sentence, (one) => [{ ...typed(one, text, { own: true, sources: [] }), model: false, verdict: { verdict: "waiting" } }]),
  word: (sentences, { sentence, foreseen }) =>
    instead(sentences, sentence, (one) => [{ ...typed(one, foreseen.text, { sources: foreseen.accounts.map((account) => [account, 0, 0, "copied"]) }), verdict: null }]),
  // Beside those of its account that the text has; only the server knows where a dropped one stood.
  tell: (sentences, { source, foreseen: { account, start, said, rank } = {} }) => {
    const own = rank?.get(source);
    if (own === undefined) return null;
    const near = sentences.flatMap(({ origins }, place) => origins.filter((id) => rank.has(id)).map((id) => ({ far: rank.get(id) - own, place })));
    const before = near.filter(({ far }) => far < 0).sort((one, other) => other.far - one.far || other.place - one.place)[0];
    const behind = near.filter(({ far }) => far > 0).sort((one, other) => one.far - other.far || one.place - other.place)[0];
    if (!before && !behind) return null;
    const at = before && (!behind || -before.far <= behind.far) ? before.place + 1 : behind.place;
    if (at === 0) return null;
    const tokens = [...said.matchAll(WORD)].map(({ 0: word, index }) => {
      const from = [...said.slice(0, index)].length;
      const to = from + [...word].length;
      return { start: from, end: to, sources: [[account, start + from, start + to, "copied"]] };
    });
    return sentences.toSpliced(at, 0, { id: source, opens: false, text: said, tokens, accounts: [], origins: [source], decisions: [], disputes: [], why: "", model: false, verdict: null });
  },
  split: (sentences, { sentence, at }) => instead(sentences, sentence, (one) => [first(one, at), second(one, at)]),
};

// The next sentence begins the paragraph of one that goes.
function without(sentences, id) {
  const at = sentences.findIndex((one) => one.id === id);
  const rest = sentences.toSpliced(at, 1);
  if (sentences[at].opens && rest[at]) rest[at] = { ...rest[at], opens: true };
  return rest;
}

function instead(sentences, id, made) {
  const at = sentences.findIndex((one) => one.id === id);
  return at < 0 ? null : sentences.toSpliced(at, 1, ...made(sentences[at]));
}

// A sentence in other words: those at its start and end that stay keep their sources.
function typed(sentence, text, other) {
  const plain = text.trim().replace(/\s+/gu, " ");
  const [was, now] = [[...sentence.text], [...plain]];
  const said = sentence.tokens.map(({ start, end }) => was.slice(start, end).join(""));
  const words = [...plain.matchAll(WORD)].map(({ 0: word, index }) => ({ word, start: [...plain.slice(0, index)].length }));
  const most = Math.min(said.length, words.length);
  let head = 0;
  while (head < most && said[head] === words[head].word) head += 1;
  let tail = 0;
  while (tail < most - head && said.at(-1 - tail) === words.at(-1 - tail).word) tail += 1;
  const tokens = words.map(({ word, start }, at) => {
    const behind = at - words.length;
    const kept = at < head ? sentence.tokens[at] : -behind <= tail ? sentence.tokens.at(behind) : other;
    return { ...kept, start, end: start + [...word].length };
  });
  return { ...sentence, text: now.join(""), tokens };
}

// The parts of a sentence, the first with a full stop for a comma or for nothing.
function first(sentence, at) {
  const text = [...sentence.text].slice(0, at).join("").replace(STRAY, "").trimEnd();
  const tokens = sentence.tokens.filter(({ end }) => end <= [...text].length);
  return { ...sentence, id: `${sentence.id}~1`, text: /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text, tokens };
}

function second(sentence, at) {
  const text = [...sentence.text].slice(at).join("").replace(/^[^\p{L}\p{N}]*\p{L}/u, (start) => start.toUpperCase());
  const tokens = sentence.tokens.filter(({ start }) => start >= at).map((token) => ({ ...token, start: token.start - at, end: token.end - at }));
  return { ...sentence, id: `${sentence.id}~2`, opens: false, text, tokens };
}
