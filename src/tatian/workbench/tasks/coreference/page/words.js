// The words of a document by index, and the phrases that can be marked.
//
//   const words = new Words(text, tokens)   tokens: [start, end, start, end ...] in characters as
//                                           Python counts them (code points)
//   words.count  words.text(i)  words.start(i)  words.end(i)  words.gap(i): the text after word i
//   words.range(start, end)    [first, last]: the words that overlap a span
//   words.part(start, end)     its characters;  words.hasWord(start, end)   more than punctuation
//   words.shorten(start, end)  its text on one line, shortened in the middle
//   new Phrases(list)          [[start, end, headStart, headEnd]] of the server's analysis
//     .head(words, start, end)    MIN of a phrase: [start, end], or null if it is the whole phrase
//     .wider(start, end)          the smallest longer phrase that contains this one, or null
//
// Without an analysis, the head is found by English word order: the last word before a preposition,
// a relative pronoun or a comma (section 4.1 of the definition).

const AFTER_HEAD = new Set(
  `of in on at by for with from to about against between into through during before after above
  below under over near since until without within among who whom whose which that , ; : ( - – —`
    .split(/\s+/),
);
const ARTICLES = new Set(["a", "an", "the"]);
const CLITICS = new Set(["'s", "’s", "'", "’"]);
const TITLES = /^(mr|mrs|ms|miss|dr|prof|sir|lady|lord|herr|frau|monsieur|madame|rev|sen|gov|gen)\.?$/i;

export class Words {
  constructor(text, tokens) {
    const points = [...text];
    this.points = points.length === text.length ? text : points;
    this.tokens = tokens;
    this.count = tokens.length / 2;
  }

  start(index) {
    return this.tokens[2 * index];
  }

  end(index) {
    return this.tokens[2 * index + 1];
  }

  text(index) {
    return this.part(this.start(index), this.end(index));
  }

  gap(index) {
    const next = index + 1 < this.count ? this.start(index + 1) : this.points.length;
    return this.part(this.end(index), next);
  }

  part(start, end) {
    const part = this.points.slice(start, end);
    return typeof part === "string" ? part : part.join("");
  }

  hasWord(start, end) {
    return !/^[\p{P}\s]*$/u.test(this.part(start, end));
  }

  shorten(start, end, longest = 60) {
    const words = this.part(start, end).split(/\s+/).join(" ");
    if (words.length <= longest) return words;
    const half = Math.floor(longest / 2) - 1;
    return `${words.slice(0, half)} … ${words.slice(-half)}`;
  }

  range(start, end) {
    const first = this.findFirst((index) => this.end(index) > start);
    const last = this.findFirst((index) => this.start(index) >= end) - 1;
    const top = this.count - 1;
    const low = Math.min(first, top);
    return [low, Math.max(low, Math.min(last, top))];
  }

  // The first word that passes a test, which all later ones must pass too.
  findFirst(test) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export class Phrases {
  constructor(list = []) {
    this.list = list;
    this.places = new Map(list.map((phrase) => [`${phrase[0]}:${phrase[1]}`, phrase]));
  }

  head(words, start, end) {
    const exact = this.places.get(`${start}:${end}`);
    const head = exact ? [exact[2], exact[3]] : this.findHead(words, start, end);
    return head && isNeeded(words, start, end, head) ? head : null;
  }

  // The head of "harbour master Ines Tal" is the name, even if the analysis has "harbour master" as a
  // phrase: titles are no part of MIN (section 4.1).
  findHead(words, start, end) {
    const guess = guessHead(words, start, end);
    const best = this.widestWithHead(start, end);
    if (!best) return guess;
    const isAdjacent = best[1] < guess[0] && !words.part(best[1], guess[0]).trim();
    const isName = guess[1] === end && /^\p{Lu}/u.test(words.part(...guess));
    return isAdjacent && isName ? guess : [best[2], best[3]];
  }

  // The widest phrase that begins at `start` and has its head in the span.
  widestWithHead(start, end) {
    let best = null;
    for (const phrase of this.list) {
      const fits = phrase[2] >= start && phrase[3] <= end && Math.abs(phrase[0] - start) < 2;
      if (fits && (!best || phrase[1] - phrase[0] > best[1] - best[0])) best = phrase;
    }
    return best;
  }

  wider(start, end) {
    let best = null;
    for (const phrase of this.list) {
      const contains = phrase[0] <= start && phrase[1] >= end && phrase[1] - phrase[0] > end - start;
      if (contains && (!best || phrase[1] - phrase[0] < best[1] - best[0])) best = phrase;
    }
    return best && [best[0], best[1]];
  }
}

function guessHead(words, start, end) {
  const [first, last] = words.range(start, end);
  let stop = first;
  while (stop < last && !(stop + 1 > first && AFTER_HEAD.has(words.text(stop + 1).toLowerCase()))) {
    stop += 1;
  }
  while (stop > first && (CLITICS.has(words.text(stop)) || /^\p{P}+$/u.test(words.text(stop)))) {
    stop -= 1;
  }
  let begin = stop;
  const isCapitalized = (index) => /^\p{Lu}/u.test(words.text(index));
  while (begin > first && isCapitalized(stop) && isCapitalized(begin - 1) && !isModifier(words.text(begin - 1))) {
    begin -= 1;
  }
  return [words.start(begin), words.end(stop)];
}

function isModifier(word) {
  return ARTICLES.has(word.toLowerCase()) || TITLES.test(word);
}

// MIN is not stated if it is the whole phrase, or the phrase without its article (section 4.3).
function isNeeded(words, start, end, head) {
  if (head[0] === start && head[1] === end) return false;
  const [first, last] = words.range(start, end);
  const withoutArticle = ARTICLES.has(words.text(first).toLowerCase()) && last > first ? first + 1 : first;
  return !(head[0] === words.start(withoutArticle) && head[1] === end);
}
