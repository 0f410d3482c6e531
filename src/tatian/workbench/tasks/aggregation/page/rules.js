// The rules of tasks/aggregation/rules.py in the browser, with word lists and messages from the
// server. A test compares the two.
//
//   const rules = new Rules(data, names)   data: content.rules;  names: of the entities
//   rules.of(phrases)   for each phrase a list of {rule, message, refused}
//   rules.normal(phrase)   normalized: "The two French Cities" is "french cities"

const PROMPT = /.*\bare discussed\s*\./is;
const NOT_APPLICABLE = new Set(["na", "n/a", "n.a"]);
const WORD = /[\p{L}\p{N}]+/gu;
const JOINED = /(?<!\S)(?:as\s+well\s+as|or|&)(?!\S)|[,;،、，；]\s+[\p{L}\p{N}]/iu;

export class Rules {
  constructor(data, names) {
    this.data = data;
    this.names = names;
    this.pronouns = new Set(data.pronouns);
    this.determiners = new Set(data.determiners);
    this.numbers = new Map(Object.entries(data.numbers));
    this.generic = new Set(data.generic);
    this.advice = new Set(data.advice);
  }

  of(phrases) {
    const seen = new Set();
    return phrases.map((phrase) => {
      const found = [...this.found(phrase)];
      const plain = this.normal(phrase);
      if (plain && seen.has(plain)) found.push(["repeat", {}]);
      seen.add(plain);
      return found.map(([rule, said]) => ({
        rule,
        message: filled(this.data.says[rule], said),
        refused: !this.advice.has(rule),
      }));
    });
  }

  normal(phrase) {
    let tidy = phrase;
    for (;;) {
      const before = tidy;
      tidy = spaced(tidy.replace(PROMPT, "").toLowerCase()).replace(/[. ]+$/, "");
      tidy = withoutFirst(tidy, (word) => word === "the");
      tidy = withoutFirst(tidy, (word) => this.determiners.has(word));
      tidy = withoutFirst(tidy, (word) => this.numbers.has(word) || /^\p{Nd}+$/u.test(word));
      if (tidy === before) return tidy;
    }
  }

  *found(phrase) {
    const { data } = this;
    if (!phrase.trim()) return;
    if ([...phrase].length > data.characters) {
      yield ["characters", { most: data.characters }];
      return;
    }
    const plain = this.normal(phrase);
    if (NOT_APPLICABLE.has(plain.replace(/^[ .]+|[ .]+$/g, ""))) {
      yield ["n/a", {}];
      return;
    }
    const words = folded(plain).match(WORD) || [];
    if (!words.length) {
      yield ["empty", {}];
      return;
    }
    const named = this.named(phrase);
    if (words.every((word) => this.saysNothing(word))) yield ["pronoun", {}];
    const listing = this.listing(phrase, plain, named);
    if (listing) yield [listing, {}];
    for (const rule of this.refusing(plain)) yield [rule, {}];
    const count = plain.split(/\s+/).length;
    if (count > data.words) yield ["long", { count }];
    const said = this.number(phrase);
    if (said && this.value(said) !== data.count) yield ["number", { said, count: data.count }];
    if (named.length === 1 && listing !== "list") yield ["one", { name: named[0] }];
  }

  // The rule that takes the phrase for a list; empty where none does.
  listing(phrase, plain, named) {
    if (plain.split(/\s+/).includes("and")) return "and";
    if (named.length > 1) return "list";
    return JOINED.test(phrase) ? "joined" : "";
  }

  *refusing(plain) {
    const parts = new Set(plain.split(/\s+/));
    if (plain.includes("/")) yield "slash";
    if (parts.has("are") || parts.has("have")) yield "sentence";
    if (this.generic.has(plain)) yield "generic";
  }

  saysNothing(word) {
    return this.pronouns.has(word) || this.determiners.has(word) || ["the", "of"].includes(word) ||
      this.isNumber(word);
  }

  named(phrase) {
    let around = ` ${(folded(phrase).match(WORD) || []).join(" ")} `;
    const forms = this.data.names.flatMap((own, place) => own.map((form) => ({ form, place })));
    const found = new Set();
    for (const { form, place } of forms.sort((a, b) => [...b.form].length - [...a.form].length)) {
      if (!around.includes(` ${form} `)) continue;
      found.add(place);
      around = around.replaceAll(` ${form} `, " / ");
    }
    return this.names.filter((_, place) => found.has(place));
  }

  number(phrase) {
    for (const word of spaced(phrase.toLowerCase()).split(" ")) {
      if (this.isNumber(word)) return word;
      if (word !== "the" && !this.determiners.has(word)) break;
    }
    return "";
  }

  isNumber(word) {
    return this.numbers.has(word) || /^[0-9]+$/.test(word);
  }

  value(word) {
    return this.numbers.get(word) ?? Number(word);
  }
}

function spaced(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function withoutFirst(phrase, drops) {
  const end = phrase.indexOf(" ");
  return end > 0 && drops(phrase.slice(0, end)) ? phrase.slice(end + 1) : phrase;
}

// In small letters, without accents.
function folded(text) {
  const base = (character) =>
    "’‘".includes(character) ? "'" : [...character.normalize("NFD")][0];
  return [...text].map(base).join("").toLowerCase();
}

function filled(message, said) {
  return Object.entries(said).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), message);
}
