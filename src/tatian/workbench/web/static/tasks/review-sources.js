// What the review page knows about the accounts: which source sentences stand behind a sentence,
// and what came of each.
//
//   REASONS, SAID           reasons to reject: [name, words]; verdicts as they are told
//   unchanged(before, after)  whether two texts have the same words
//   marked(before, after)   the differences between two texts as DOM
//   Sources(content)
//     .places()             all source sentences: [{key, account, sentence, document, number, ...}]
//     .behind(index)        those of a proposed sentence, its own first
//     .disputes(index)      the contradictions that touch it
//     .fate(place)          what became of a source sentence, in words
//     .name(place)          letter, name and date of its account, as DOM

import { shown } from "../core/diff.js";
import { h } from "../core/dom.js";

export const REASONS = [
  ["unsupported", "Says something no source says"],
  ["loses", "Loses something"],
  ["repeats", "Says it twice"],
  ["reads-badly", "Reads badly"],
  ["contradiction", "Sources contradict"],
  ["other", "Other"],
];
export const SAID = { accept: "accepted", edit: "edited", reject: "rejected" };

const squeezed = (text) => text.split(/\s+/).filter(Boolean).join(" ");

export function unchanged(before, after) {
  return squeezed(before) === squeezed(after ?? before);
}

export function marked(before, after) {
  const nodes = shown(squeezed(before), squeezed(after), { removed: "removed", added: "added" });
  return nodes.flatMap((node, index) => {
    const last = nodes[index - 1];
    const joined = node instanceof Element && typeof last === "string" && !/\s$/.test(last);
    return joined ? [" ", node] : [node];
  });
}

export class Sources {
  constructor(content) {
    this.content = content;
    this.all = content.accounts.flatMap((account, number) =>
      account.sentences.map((given, sentence) => ({
        key: `${number}:${sentence}`,
        account: number,
        sentence,
        document: account.id,
        into: [],
        why: "",
        ...given,
      })));
    this.byKey = new Map(this.all.map((place) => [place.key, place]));
  }

  places() {
    return this.all;
  }

  disputes(index) {
    return (this.content.contradictions || []).filter(({ sentences }) => sentences.includes(index));
  }

  behind(index) {
    const own = this.all.filter(({ into }) => into.includes(index));
    const words = this.content.sentences[index].words || [];
    const used = words.flatMap(([, , origins = []]) => origins.map(([account, sentence]) => `${account}:${sentence}`));
    const claimed = this.disputes(index).flatMap(({ claims = [] }) =>
      claims.map(([account, sentence]) => `${account}:${sentence}`));
    const others = [...used, ...claimed].map((key) => this.byKey.get(key));
    const rank = ({ fate }) => (fate === "merged" || fate === "kept" ? 0 : 1);
    return [...new Set([...own.sort((a, b) => rank(a) - rank(b)), ...others])];
  }

  letters(index) {
    const words = this.content.sentences[index].words || [];
    const numbers = new Set(words.flatMap(([, , origins = []]) => origins.map(([account]) => account)));
    return [...numbers].sort((a, b) => a - b).map((number) => this.content.accounts[number].letter);
  }

  leftOut() {
    return this.all.filter(({ fate }) => fate === "redundant" || fate === "unused");
  }

  name({ account }) {
    const { letter, name, date } = this.content.accounts[account];
    return [h("b", {}, letter), " ", h("bdi", {}, name), date ? `, ${date}` : ""];
  }

  fate({ fate, into }, index = null) {
    const numbers = into.map((one) => one + 1);
    const where = numbers.length > 1 ? `sentences ${numbers.join(", ")}` : `sentence ${numbers[0]}`;
    const here = index !== null && into.length === 1 && into[0] === index;
    if (fate === "redundant") {
      if (here) return "left out: this sentence says it already";
      return into.length ? `left out: ${where} already says it` : "left out as redundant";
    }
    if (fate === "unused") return "left out";
    if (here) return fate === "merged" ? "merged into this sentence" : "kept as this sentence";
    return into.length ? `${fate === "merged" ? "merged into" : "kept as"} ${where}` : "used elsewhere";
  }
}
