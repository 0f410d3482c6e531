// The text after a decision as far as that needs no server, so that it is seen at once; what the
// server answers then stands in its place.
//
//   FORESEEN[kind](sentences, decision)   the sentences, or null where only the server knows
//   ANSWERED   the kinds that rest on the server's answer to what was decided before

const WORD = /[\p{L}\p{N}]+(?:['’.,:][\p{L}\p{N}]+)*|\S/gu;
const STRAY = /[,;:–—-]\s*$/u;

export const ANSWERED = new Set(["settle", "tell"]);

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
  // Put it beside the sentences of its source; only the server knows where a dropped one stood.
  tell: (sentences, { source, foreseen: { account, start, said, rank } = {} }) => {
    const own = rank?.get(source);
    if (own === undefined) return null;
    const near = sentences.flatMap(({ origins }, place) => origins.filter((id) => rank.has(id)).map((id) => ({ far: rank.get(id) - own, place })));
    const before = near.filter(({ far }) => far < 0).sort((one, other) => other.far - one.far || other.place - one.place)[0];
    const behind = near.filter(({ far }) => far > 0).sort((one, other) => one.far - other.far || one.place - other.place)[0];
    if (!before && !behind) return null;
    const at = before && (!behind || -before.far <= behind.far) ? before.place + 1 : behind.place;
    if (at === 0) return null;
    const tokens = parts(said).map(({ start: from, end: to }) => ({ start: from, end: to, sources: [[account, start + from, start + to, "copied"]] }));
    return sentences.toSpliced(at, 0, { id: source, opens: false, text: said, tokens, accounts: [], origins: [source], decisions: [], disputes: [], why: "", model: false, verdict: null });
  },
  split: (sentences, { sentence, at }) => instead(sentences, sentence, (one) => [first(one, at), second(one, at)]),
  // One claim in place of the others, or words in place of the first; only the server knows the text
  // as it was before it was settled, how sources are named, and where a heading ends.
  settle: (sentences, { dispute, how, claim, attribute, text, foreseen: { claims = [{}], settled } }) => {
    if (how === "both") return settled && settled.how !== "both" ? null : sentences;
    const again = settled && settled.how !== "both";
    if (attribute || (how === "write" && (again || !text)) || (again && settled.how === "write")) return null;
    const { account, start, said } = claims[claim] || {};
    if (how === "one" && claims.some(({ said: words }) => !words)) return null;
    const words = how === "one"
      ? parts(said).map((part) => ({ ...part, put: true, sources: [[account, start + part.start, start + part.end, "substituted"]] }))
      : parts(text).map((part) => ({ ...part, put: true, sources: [], own: true }));
    const goes = (one, _, { sources: [source] }) => source[3] === "substituted" || one.said.toLowerCase() !== said.toLowerCase();
    let told = 0;
    let headed = false;
    const made = sentences.map((sentence) => {
      const had = sentence.disputes.includes(dispute) ? wordsOf(sentence) : [];
      const [run] = runs(had, claims);
      if (!run) return sentence;
      told += 1;
      headed ||= had[0].glue && run.at === had.findIndex(({ glue }) => !glue);
      const plain = withoutNote(had, claims);
      if (how === "write" && told > 1) return laid(sentence, plain);
      return laid(sentence, replaced(plain, claims, words, how === "write" ? (_, place) => place === 0 : goes));
    });
    return told && !headed && !(again && made.some(attributed)) ? made : null;
  },
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
  const words = parts(plain);
  const most = Math.min(said.length, words.length);
  let head = 0;
  while (head < most && said[head] === words[head].text) head += 1;
  let tail = 0;
  while (tail < most - head && said.at(-1 - tail) === words.at(-1 - tail).text) tail += 1;
  const tokens = words.map(({ start, end }, at) => {
    const behind = at - words.length;
    const kept = at < head ? sentence.tokens[at] : -behind <= tail ? sentence.tokens.at(behind) : other;
    return { ...kept, start, end };
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

// The words of a text, by their places in it.
function parts(text) {
  let before = 0;
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const start = [...text.slice(0, index)].length;
    const space = start > before;
    before = start + [...word].length;
    return { text: word, start, end: before, space };
  });
}

// The words of a sentence, each with what it says, and a sentence of such words.
function wordsOf({ text, tokens }) {
  const characters = [...text];
  return tokens.map((token, at) => ({ ...token, text: characters.slice(token.start, token.end).join(""), space: at > 0 && token.start > tokens[at - 1].end }));
}

// The server's rule (text/layers.py): what comes to its start has a capital, unless it is an address.
function laid(sentence, words) {
  let text = "";
  const tokens = words.map(({ text: word, space, put, ...token }) => {
    const small = /^\p{L}[^./:@]*$/u.test(word) && word === word.toLowerCase() && word !== word.toUpperCase();
    const opens = put && small && !/[\p{L}\p{N}]/u.test(text);
    const written = opens ? word.replace(/^./u, (letter) => letter.toUpperCase()) : word;
    text += (space && text ? " " : "") + written;
    const end = [...text].length;
    return { ...token, start: end - [...written].length, end };
  });
  const waits = sentence.verdict || words.some(({ own }) => own);
  return { ...sentence, text, tokens, verdict: waits ? { verdict: "waiting" } : null };
}

// The claim that a word repeats, in the words of its own source or another (the server's rules are
// in desk/conflicts.py), and the words that say all of one.
function claimed({ sources }, claims) {
  const within = ([document, at]) => claims.find(({ account, start, end }) => account === document && start <= at && at < end);
  const source = sources.find(within);
  return source && within(source);
}

function runs(words, claims) {
  const held = words.map((word) => claimed(word, claims));
  const found = [];
  for (let at = 0, end; at < words.length; at = end) {
    const claim = held[at];
    for (end = at + 1; end < words.length && held[end] === claim; ) end += 1;
    const some = words.slice(at, end);
    const own = () => some.some(({ sources: [source] }) => source[0] === claim.account);
    const whole = () => some.map(({ text }) => text).join(" ").toLowerCase() === claim.text.toLowerCase();
    if (claim && (own() || whole())) found.push({ at, end, claim });
  }
  return found;
}

// Remove the brackets with the claims of other sources.
function withoutNote(words, claims) {
  const sign = (at, text) => words[at].glue && words[at].text === text;
  for (let start = 0; start < words.length; start += 1) {
    if (!sign(start, "(")) continue;
    const end = words.findIndex((_, at) => at > start && sign(at, ")"));
    if (end > 0 && words.slice(start, end).some((word) => claimed(word, claims))) return words.toSpliced(start, end - start + 1);
  }
  return words;
}

// Other words in place of the claims that are `such`.
function replaced(words, claims, instead, such) {
  const gone = runs(words, claims).filter(({ at, claim }, place) => such(claim, place, words[at]));
  const put = (made, { at, end }) => made.toSpliced(at, end - at, ...instead.with(0, { ...instead[0], space: words[at].space }));
  return gone.reduceRight(put, words);
}

function attributed({ tokens, text }) {
  return tokens.some(({ glue, start, end }) => glue && [...text].slice(start, end).join("") === "according");
}
