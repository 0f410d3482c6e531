// The words of a document by number, and phrases that can be marked among them.
//
//   const words = new Words(text, tokens)   tokens: [start, end, start, end ...] in characters as
//                                           Python counts them (code points)
//   words.count  words.text(i)  words.start(i)  words.end(i)  words.gap(i)   what follows word i
//   words.range(start, end)  [first, last]: the words that a stretch touches
//   words.part(start, end)   its characters;  words.says(start, end)   whether there is a word in it
//   new Phrases(list)        [[start, end, headStart, headEnd]] as the server's analysis found them
//     .head(words, start, end)    MIN of a phrase: [start, end], or null where it is the whole
//     .wider(start, end)          the smallest phrase that is larger and has this in it, or null
//
// Where the analysis has nothing to say, the head is found by English word order: the last word
// before a preposition, a relative pronoun or a comma (section 4.1 of the definition).

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

  // Whether there is anything in a stretch but punctuation.
  says(start, end) {
    return !/^[\p{P}\s]*$/u.test(this.part(start, end));
  }

  // In one line, shortened in the middle.
  shown(start, end, longest = 60) {
    const words = this.part(start, end).split(/\s+/).join(" ");
    if (words.length <= longest) return words;
    const half = Math.floor(longest / 2) - 1;
    return `${words.slice(0, half)} … ${words.slice(-half)}`;
  }

  range(start, end) {
    const first = this.search((index) => this.end(index) > start);
    const last = this.search((index) => this.start(index) >= end) - 1;
    const top = this.count - 1;
    const low = Math.min(first, top);
    return [low, Math.max(low, Math.min(last, top))];
  }

  // The first word that a test holds for, as it does for all after it.
  search(test) {
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
    this.places = new Map(list.map((one) => [`${one[0]}:${one[1]}`, one]));
  }

  head(words, start, end) {
    const exact = this.places.get(`${start}:${end}`);
    const found = exact ? [exact[2], exact[3]] : this.within(words, start, end);
    return found && needed(words, start, end, found) ? found : null;
  }

  // Of "harbour master Ines Tal" the name, also where the analysis takes "harbour master" for a
  // phrase of its own: titles are no part of MIN (section 4.1).
  within(words, start, end) {
    const guessed = byOrder(words, start, end);
    const best = this.inside(start, end);
    if (!best) return guessed;
    const follows = best[1] < guessed[0] && !words.part(best[1], guessed[0]).trim();
    const name = guessed[1] === end && /^\p{Lu}/u.test(words.part(...guessed));
    return follows && name ? guessed : [best[2], best[3]];
  }

  // The widest phrase whose head lies in the stretch and that begins where it begins.
  inside(start, end) {
    let best = null;
    for (const one of this.list) {
      const fits = one[2] >= start && one[3] <= end && Math.abs(one[0] - start) < 2;
      if (fits && (!best || one[1] - one[0] > best[1] - best[0])) best = one;
    }
    return best;
  }

  wider(start, end) {
    let best = null;
    for (const one of this.list) {
      const holds = one[0] <= start && one[1] >= end && one[1] - one[0] > end - start;
      if (holds && (!best || one[1] - one[0] < best[1] - best[0])) best = one;
    }
    return best && [best[0], best[1]];
  }
}

function byOrder(words, start, end) {
  const [first, last] = words.range(start, end);
  let stop = first;
  while (stop < last && !(stop + 1 > first && AFTER_HEAD.has(words.text(stop + 1).toLowerCase()))) {
    stop += 1;
  }
  while (stop > first && (CLITICS.has(words.text(stop)) || /^\p{P}+$/u.test(words.text(stop)))) {
    stop -= 1;
  }
  let begin = stop;
  const capital = (index) => /^\p{Lu}/u.test(words.text(index));
  while (begin > first && capital(stop) && capital(begin - 1) && !isModifier(words.text(begin - 1))) {
    begin -= 1;
  }
  return [words.start(begin), words.end(stop)];
}

function isModifier(word) {
  return ARTICLES.has(word.toLowerCase()) || TITLES.test(word);
}

// MIN is not said where it is the whole phrase, or all of it but the article (section 4.3).
function needed(words, start, end, head) {
  if (head[0] === start && head[1] === end) return false;
  const [first, last] = words.range(start, end);
  const bare = ARTICLES.has(words.text(first).toLowerCase()) && last > first ? first + 1 : first;
  return !(head[0] === words.start(bare) && head[1] === end);
}
