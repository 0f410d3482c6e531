// The rules of tasks/aggregation/rules.py in the browser, with word lists and messages from the
// server. A test compares the two.
//
//   const rules = new Rules(data, names)   data: content.rules;  names: of the entities
//   rules.check(phrases)      a list of {rule, message, refused} for each phrase
//   rules.normalize(phrase)   "The two French Cities" becomes "french cities"

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

  check(phrases) {
    const seen = new Set();
    return phrases.map((phrase) => {
      const broken = [...this.brokenRules(phrase)];
      const normalized = this.normalize(phrase);
      if (normalized && seen.has(normalized)) broken.push(["repeat", {}]);
      seen.add(normalized);
      return broken.map(([rule, values]) => ({
        rule,
        message: fillMessage(this.data.says[rule], values),
        refused: !this.advice.has(rule),
      }));
    });
  }

  normalize(phrase) {
    let normalized = phrase;
    for (;;) {
      const before = normalized;
      normalized = joinWords(normalized.replace(PROMPT, "").toLowerCase()).replace(/[. ]+$/, "");
      normalized = dropFirstWord(normalized, (word) => word === "the");
      normalized = dropFirstWord(normalized, (word) => this.determiners.has(word));
      normalized = dropFirstWord(normalized, (word) => this.numbers.has(word) || /^\p{Nd}+$/u.test(word));
      if (normalized === before) return normalized;
    }
  }

  *brokenRules(phrase) {
    const { data } = this;
    if (!phrase.trim()) return;
    if ([...phrase].length > data.characters) {
      yield ["characters", { most: data.characters }];
      return;
    }
    const normalized = this.normalize(phrase);
    if (NOT_APPLICABLE.has(normalized.replace(/^[ .]+|[ .]+$/g, ""))) {
      yield ["n/a", {}];
      return;
    }
    const words = foldCase(normalized).match(WORD) || [];
    if (!words.length) {
      yield ["empty", {}];
      return;
    }
    const entities = this.namedEntities(phrase);
    if (words.every((word) => this.isEmptyWord(word))) yield ["pronoun", {}];
    const listRule = this.listRule(phrase, normalized, entities);
    if (listRule) yield [listRule, {}];
    for (const rule of this.refusingRules(normalized)) yield [rule, {}];
    const count = normalized.split(/\s+/).length;
    if (count > data.words) yield ["long", { count }];
    const number = this.leadingNumber(phrase);
    if (number && this.numberValue(number) !== data.count) yield ["number", { said: number, count: data.count }];
    if (entities.length === 1 && listRule !== "list") yield ["one", { name: entities[0] }];
  }

  // The rule that takes the phrase for a list; empty if none does.
  listRule(phrase, normalized, entities) {
    if (normalized.split(/\s+/).includes("and")) return "and";
    if (entities.length > 1) return "list";
    return JOINED.test(phrase) ? "joined" : "";
  }

  *refusingRules(normalized) {
    const parts = new Set(normalized.split(/\s+/));
    if (normalized.includes("/")) yield "slash";
    if (parts.has("are") || parts.has("have")) yield "sentence";
    if (this.generic.has(normalized)) yield "generic";
  }

  isEmptyWord(word) {
    return this.pronouns.has(word) || this.determiners.has(word) || ["the", "of"].includes(word) ||
      this.isNumber(word);
  }

  namedEntities(phrase) {
    let padded = ` ${(foldCase(phrase).match(WORD) || []).join(" ")} `;
    const forms = this.data.names.flatMap((forms, place) => forms.map((form) => ({ form, place })));
    const namedPlaces = new Set();
    for (const { form, place } of forms.sort((a, b) => [...b.form].length - [...a.form].length)) {
      if (!padded.includes(` ${form} `)) continue;
      namedPlaces.add(place);
      padded = padded.replaceAll(` ${form} `, " / ");
    }
    return this.names.filter((_, place) => namedPlaces.has(place));
  }

  leadingNumber(phrase) {
    for (const word of joinWords(phrase.toLowerCase()).split(" ")) {
      if (this.isNumber(word)) return word;
      if (word !== "the" && !this.determiners.has(word)) break;
    }
    return "";
  }

  isNumber(word) {
    return this.numbers.has(word) || /^[0-9]+$/.test(word);
  }

  numberValue(word) {
    return this.numbers.get(word) ?? Number(word);
  }
}

function joinWords(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function dropFirstWord(phrase, isDropped) {
  const end = phrase.indexOf(" ");
  return end > 0 && isDropped(phrase.slice(0, end)) ? phrase.slice(end + 1) : phrase;
}

// In small letters, without accents.
function foldCase(text) {
  const base = (character) =>
    "’‘".includes(character) ? "'" : [...character.normalize("NFD")][0];
  return [...text].map(base).join("").toLowerCase();
}

function fillMessage(message, values) {
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), message);
}
