// Predictions of the text after a decision, shown at once until the server's answer replaces them.
//
//   PREDICTIONS[kind](sentences, decision)   the sentences, or null if only the server knows them
//   UNPREDICTABLE_AFTER_OTHERS   kinds that depend on the answers to earlier decisions

const WORD = /[\p{L}\p{N}]+(?:['’.,:][\p{L}\p{N}]+)*|\S/gu;
const STRAY = /[,;:–—-]\s*$/u;

export const UNPREDICTABLE_AFTER_OTHERS = new Set(["settle", "tell"]);

export const PREDICTIONS = {
  drop: (sentences, { sentence }) => without(sentences, sentence),
  move: (sentences, { sentence, after, opens = false }) => {
    const others = without(sentences, sentence);
    const at = others.findIndex(({ id }) => id === after) + 1;
    const moved = { ...sentences.find(({ id }) => id === sentence), opens: opens || at === 0 };
    if (at === 0 && others.length && !opens) others[0] = { ...others[0], opens: false };
    return others.toSpliced(at, 0, moved);
  },
  edit: (sentences, { sentence, text }) =>
    replaceSentence(sentences, sentence, (old) => [{ ...retypedSentence(old, text, { own: true, sources: [] }), model: false, verdict: { verdict: "waiting" } }]),
  word: (sentences, { sentence, prediction }) =>
    replaceSentence(sentences, sentence, (old) => [{ ...retypedSentence(old, prediction.text, { sources: prediction.accounts.map((account) => [account, 0, 0, "copied"]) }), verdict: null }]),
  // Put it beside the sentences of its source; only the server knows where a dropped one stood.
  tell: (sentences, { source, prediction: { account, start, words, rank } = {} }) => {
    const ownRank = rank?.get(source);
    if (ownRank === undefined) return null;
    const near = sentences.flatMap(({ origins }, place) => origins.filter((id) => rank.has(id)).map((id) => ({ distance: rank.get(id) - ownRank, place })));
    const before = near.filter(({ distance }) => distance < 0).sort((first, other) => other.distance - first.distance || other.place - first.place)[0];
    const after = near.filter(({ distance }) => distance > 0).sort((first, other) => first.distance - other.distance || first.place - other.place)[0];
    if (!before && !after) return null;
    const at = before && (!after || -before.distance <= after.distance) ? before.place + 1 : after.place;
    if (at === 0) return null;
    const tokens = wordsIn(words).map(({ start: from, end: to }) => ({ start: from, end: to, sources: [[account, start + from, start + to, "copied"]] }));
    return sentences.toSpliced(at, 0, { id: source, opens: false, text: words, tokens, accounts: [], origins: [source], decisions: [], disputes: [], why: "", model: false, verdict: null });
  },
  split: (sentences, { sentence, at }) => replaceSentence(sentences, sentence, (old) => [firstPart(old, at), secondPart(old, at)]),
  // One claim in place of the others, or words in place of the first; only the server knows the text
  // as it was before it was settled, how sources are named, and where a heading ends.
  settle: (sentences, { dispute: conflict, how, claim, attribute, text, prediction: { claims = [{}], settled } }) => {
    if (how === "both") return settled && settled.how !== "both" ? null : sentences;
    const isResettled = settled && settled.how !== "both";
    if (attribute || (how === "write" && (isResettled || !text)) || (isResettled && settled.how === "write")) return null;
    const { account, start, words: chosen } = claims[claim] || {};
    if (how === "one" && claims.some(({ words }) => !words)) return null;
    const words = how === "one"
      ? wordsIn(chosen).map((part) => ({ ...part, put: true, sources: [[account, start + part.start, start + part.end, "substituted"]] }))
      : wordsIn(text).map((part) => ({ ...part, put: true, sources: [], own: true }));
    const isReplaced = (other, _, { sources: [source] }) => source[3] === "substituted" || other.words.toLowerCase() !== chosen.toLowerCase();
    let count = 0;
    let afterHeading = false;
    const predicted = sentences.map((sentence) => {
      const old = sentence.disputes.includes(conflict) ? wordsOf(sentence) : [];
      const [run] = runs(old, claims);
      if (!run) return sentence;
      count += 1;
      afterHeading ||= old[0].glue && run.at === old.findIndex(({ glue }) => !glue);
      const unnoted = withoutNote(old, claims);
      if (how === "write" && count > 1) return sentenceOf(sentence, unnoted);
      return sentenceOf(sentence, replaceClaims(unnoted, claims, words, how === "write" ? (_, place) => place === 0 : isReplaced));
    });
    return count && !afterHeading && !(isResettled && predicted.some(isAttributed)) ? predicted : null;
  },
};

// Remove a sentence; the next one takes over the start of a paragraph.
function without(sentences, id) {
  const at = sentences.findIndex((sentence) => sentence.id === id);
  const others = sentences.toSpliced(at, 1);
  if (sentences[at].opens && others[at]) others[at] = { ...others[at], opens: true };
  return others;
}

// Replace a sentence by those that a function returns for it.
function replaceSentence(sentences, id, build) {
  const at = sentences.findIndex((sentence) => sentence.id === id);
  return at < 0 ? null : sentences.toSpliced(at, 1, ...build(sentences[at]));
}

// A sentence with another text; unchanged words at its start and end keep their sources.
function retypedSentence(sentence, text, newToken) {
  const collapsed = text.trim().replace(/\s+/gu, " ");
  const characters = [...sentence.text];
  const old = sentence.tokens.map(({ start, end }) => characters.slice(start, end).join(""));
  const words = wordsIn(collapsed);
  const most = Math.min(old.length, words.length);
  let head = 0;
  while (head < most && old[head] === words[head].text) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === words.at(-1 - tail).text) tail += 1;
  const tokens = words.map(({ start, end }, at) => {
    const fromEnd = at - words.length;
    const oldToken = at < head ? sentence.tokens[at] : -fromEnd <= tail ? sentence.tokens.at(fromEnd) : newToken;
    return { ...oldToken, start, end };
  });
  return { ...sentence, text: collapsed, tokens };
}

// The two parts of a split sentence; the first ends with a full stop.
function firstPart(sentence, at) {
  const text = [...sentence.text].slice(0, at).join("").replace(STRAY, "").trimEnd();
  const tokens = sentence.tokens.filter(({ end }) => end <= [...text].length);
  return { ...sentence, id: `${sentence.id}~1`, text: /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text, tokens };
}

function secondPart(sentence, at) {
  const text = [...sentence.text].slice(at).join("").replace(/^[^\p{L}\p{N}]*\p{L}/u, (start) => start.toUpperCase());
  const tokens = sentence.tokens.filter(({ start }) => start >= at).map((token) => ({ ...token, start: token.start - at, end: token.end - at }));
  return { ...sentence, id: `${sentence.id}~2`, opens: false, text, tokens };
}

// The words of a text with their offsets.
function wordsIn(text) {
  let before = 0;
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const start = [...text.slice(0, index)].length;
    const space = start > before;
    before = start + [...word].length;
    return { text: word, start, end: before, space };
  });
}

// The tokens of a sentence with their texts; and below, a sentence of such tokens.
function wordsOf({ text, tokens }) {
  const characters = [...text];
  return tokens.map((token, at) => ({ ...token, text: characters.slice(token.start, token.end).join(""), space: at > 0 && token.start > tokens[at - 1].end }));
}

// As text/layers.py: the first word gets a capital, unless it is an address.
function sentenceOf(sentence, words) {
  let text = "";
  const tokens = words.map(({ text: word, space, put, ...token }) => {
    const small = /^\p{L}[^./:@]*$/u.test(word) && word === word.toLowerCase() && word !== word.toUpperCase();
    const opens = put && small && !/[\p{L}\p{N}]/u.test(text);
    const written = opens ? word.replace(/^./u, (letter) => letter.toUpperCase()) : word;
    text += (space && text ? " " : "") + written;
    const end = [...text].length;
    return { ...token, start: end - [...written].length, end };
  });
  const needsVerdict = sentence.verdict || words.some(({ own }) => own);
  return { ...sentence, text, tokens, verdict: needsVerdict ? { verdict: "waiting" } : null };
}

// As desk/conflicts.py: the claim that a word repeats; and below, the runs of words that give a claim.
function claimOf({ sources }, claims) {
  const within = ([document, at]) => claims.find(({ account, start, end }) => account === document && start <= at && at < end);
  const source = sources.find(within);
  return source && within(source);
}

function runs(words, claims) {
  const claimsOfWords = words.map((word) => claimOf(word, claims));
  const result = [];
  for (let at = 0, end; at < words.length; at = end) {
    const claim = claimsOfWords[at];
    for (end = at + 1; end < words.length && claimsOfWords[end] === claim; ) end += 1;
    const run = words.slice(at, end);
    const isFromSource = () => run.some(({ sources: [source] }) => source[0] === claim.account);
    const isEqual = () => run.map(({ text }) => text).join(" ").toLowerCase() === claim.text.toLowerCase();
    if (claim && (isFromSource() || isEqual())) result.push({ at, end, claim });
  }
  return result;
}

// Remove the brackets with the claims of other sources.
function withoutNote(words, claims) {
  const sign = (at, text) => words[at].glue && words[at].text === text;
  for (let start = 0; start < words.length; start += 1) {
    if (!sign(start, "(")) continue;
    const end = words.findIndex((_, at) => at > start && sign(at, ")"));
    if (end > 0 && words.slice(start, end).some((word) => claimOf(word, claims))) return words.toSpliced(start, end - start + 1);
  }
  return words;
}

// Replace the claims that satisfy a condition by other words.
function replaceClaims(words, claims, newWords, condition) {
  const replacedRuns = runs(words, claims).filter(({ at, claim }, place) => condition(claim, place, words[at]));
  const replace = (list, { at, end }) => list.toSpliced(at, end - at, ...newWords.with(0, { ...newWords[0], space: words[at].space }));
  return replacedRuns.reduceRight(replace, words);
}

function isAttributed({ tokens, text }) {
  return tokens.some(({ glue, start, end }) => glue && [...text].slice(start, end).join("") === "according");
}
