// What an aggregation must not be, said while it is written: tasks/aggregation/rules.py in the
// browser, from the word lists and messages that the server gives (a test compares the two).
//
//   const rules = new Rules(told, names)   told: content.rules;  names: of the entities
//   rules.of(phrases)   for each phrase [{rule, message, refused}], nothing for an empty one
//   rules.normal(phrase)   as gold phrases are kept: "The two French Cities" is "french cities"

const PROMPT = /.*\bare discussed\s*\./is;
const NOT_APPLICABLE = new Set(["na", "n/a", "n.a"]);
const WORD = /[\p{L}\p{N}]+/gu;
const JOINED = /(?<!\S)(?:as\s+well\s+as|or|&)(?!\S)|[,;،、，；]\s+[\p{L}\p{N}]/iu;

export class Rules {
  constructor(told, names) {
    this.told = told;
    this.names = names;
    this.pronouns = new Set(told.pronouns);
    this.determiners = new Set(told.determiners);
    this.numbers = new Map(Object.entries(told.numbers));
    this.generic = new Set(told.generic);
    this.advice = new Set(told.advice);
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
        message: filled(this.told.says[rule], said),
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
    const { told } = this;
    if (!phrase.trim()) return;
    if ([...phrase].length > told.characters) {
      yield ["characters", { most: told.characters }];
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
    if (count > told.words) yield ["long", { count }];
    const said = this.number(phrase);
    if (said && this.value(said) !== told.count) yield ["number", { said, count: told.count }];
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
    const forms = this.told.names.flatMap((own, place) => own.map((form) => ({ form, place })));
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
