// The aggregation page: a phrase that means several entities at once (Jumel et al. 2020, §3.3).
//
// State: {first, second, none}: the two fields and the N/A box. While the box is ticked, the fields
// are disabled; their text is kept but not sent.

import { fill, h, isComposing, unique } from "../../core/dom.js";
import { Article, EntityCards } from "./article.js";
import { Rules } from "./rules.js";

export const style = "aggregation.css";

const HELP = [
  ["1 – 9", "Highlight the mentions of an entity and open its background"],
  ["← →", "Previous or next mention in the article; Enter or Space selects it"],
  ["Enter", "Go from the first phrase to the second"],
  ["N", "N/A, outside of the fields"],
];
const LONGEST_PHRASE = 500;
const NEAR_MATCH = ["near", "≈ near to one of ours"];
const MATCHES = { 1: ["right", "✓ one of ours"], 0: ["wrong", "✗ not among ours"] };

export function stateOf({ phrases = [], not_applicable: none = false }) {
  return { first: phrases[0] ?? "", second: phrases[1] ?? "", none: Boolean(none) };
}

export function mount(root, { content, state, readonly = false }, context) {
  return new Aggregation(root, content, state, readonly, context);
}

class Aggregation {
  constructor(root, content, state, readonly, context) {
    this.content = content;
    this.readonly = readonly;
    this.context = context;
    this.help = HELP;
    this.rules = new Rules(content.rules, content.entities.map(({ name }) => name));
    this.build(root);
    this.onKeydown = (event) => this.onKey(event);
    document.addEventListener("keydown", this.onKeydown);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKeydown);
  }

  build(root) {
    const { lead, standard } = this.content.prompt;
    this.article = new Article(this.content, (number) => this.entityCards.show(number));
    this.entityCards = new EntityCards(this.content);
    this.slot = h("mark", { class: "slot", dir: "auto" });
    this.fields = [
      this.field(`Your phrase, in the place of “${standard}”`),
      this.field("A second phrase, if you have one"),
    ];
    this.notApplicable = h("input", {
      type: "checkbox",
      disabled: this.readonly,
      onchange: () => this.onTick(),
    });
    this.closedNote = h("p", { class: "faint", role: "status" });
    root.append(h("div", { class: "aggregation" },
      this.article.node,
      this.entityCards.node,
      h("section", { class: "card answering", "aria-label": "Your answer" },
        h("h2", {}, "What would you call them, all at once?"),
        h("p", { class: "reading prompt", dir: "auto" }, lead, " ", this.slot, " …"),
        this.fields.map(({ node }) => node),
        h("label", { class: "none" }, this.notApplicable, "N/A: no natural phrase means all of them"),
        this.closedNote)));
  }

  field(label) {
    const findingList = h("div", { class: "findings", id: unique("findings"), role: "status" });
    const input = h("input", {
      id: unique("phrase"),
      type: "text",
      dir: "auto",
      maxlength: LONGEST_PHRASE,
      autocomplete: "off",
      spellcheck: "true",
      readOnly: this.readonly,
      "aria-describedby": findingList.id,
      oninput: () => {
        this.draw();
        this.context.changed("typing");
      },
    });
    const node = h("div", { class: "phrase" },
      h("label", { for: input.id }, h("strong", {}, label)), input, findingList);
    return { node, input, findingList };
  }

  get phrases() {
    return this.fields.map(({ input }) => input.value);
  }

  state() {
    const [first, second] = this.phrases;
    return { first, second, none: this.notApplicable.checked };
  }

  restore(state) {
    const text = (value) => (typeof value === "string" ? value.slice(0, LONGEST_PHRASE) : "");
    [state?.first, state?.second].forEach((value, index) => {
      const { input } = this.fields[index];
      if (input.value !== text(value)) input.value = text(value);
    });
    this.notApplicable.checked = state?.none === true;
    this.draw();
  }

  answer() {
    const none = this.notApplicable.checked;
    return { phrases: none ? [] : this.phrases.filter((phrase) => phrase.trim()), not_applicable: none };
  }

  problems() {
    if (this.notApplicable.checked) return [];
    if (!this.phrases.some((phrase) => phrase.trim())) return ["Write a phrase, or tick N/A."];
    const names = ["First phrase", "Second phrase"];
    return this.rules.check(this.phrases).flatMap((findings, index) =>
      findings.filter(({ refused }) => refused).map(({ message }) => `${names[index]}: ${message}`));
  }

  onTick() {
    this.draw();
    this.context.announce(this.notApplicable.checked ? "N/A: the phrases are closed." : "The phrases are open.");
    this.context.changed();
  }

  draw() {
    const none = this.notApplicable.checked;
    const allFindings = this.rules.check(this.phrases);
    this.fields.forEach(({ node, input, findingList }, index) => {
      const findings = none ? [] : allFindings[index];
      input.disabled = none;
      node.classList.toggle("closed", none);
      input.setAttribute("aria-invalid", String(findings.some(({ refused }) => refused)));
      const shown = findings.map(({ message }) => message).join("\n");
      if (findingList.dataset.shown === shown) return;
      findingList.dataset.shown = shown;
      fill(findingList, findings.map(({ rule, message, refused }) =>
        h("p", { class: refused ? "refused" : "advice", "data-rule": rule }, message)));
    });
    const hasPhrases = none && this.phrases.some((phrase) => phrase.trim());
    const note = hasPhrases ? "What you wrote is kept, but not sent while N/A is ticked." : "";
    if (this.closedNote.textContent !== note) this.closedNote.textContent = note;
    this.slot.textContent = this.slotText(none);
    this.slot.classList.toggle("written", this.slot.textContent !== this.content.prompt.standard);
  }

  // The phrase at the start of a sentence, or the standard one.
  slotText(none) {
    const phrase = this.phrases.find((phrase) => phrase.trim())?.trim();
    if (none || !phrase) return this.content.prompt.standard;
    const [first, ...rest] = phrase;
    return first.toUpperCase() + rest.join("");
  }

  chooseEntity(number) {
    if (!this.content.entities[number]) return;
    this.article.highlight(number);
    this.entityCards.show(number);
    this.entityCards.cards[number].scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]")) return;
    if (target === this.fields[0].input) {
      if (key !== "Enter" || isComposing(event)) return;
      this.fields[1].input.focus();
    } else if (target.closest("input[type=text], textarea, select")) return;
    else if (target !== document.body && !target.closest("main")) return;
    else if (/^[1-9]$/.test(key)) this.chooseEntity(Number(key) - 1);
    else if (key.toLowerCase() === "n" && !this.readonly) {
      this.notApplicable.checked = !this.notApplicable.checked;
      this.onTick();
    } else return;
    event.preventDefault();
  }

  feedback(root, feedback) {
    comparePhrases(root, this.content, feedback);
  }
}

// Feedback: the person's phrases beside the accepted ones.
//
//   comparePhrases(root, content, {gold: [phrase], own: [{phrase, worth}], note, score})

function comparePhrases(root, { entities }, { gold, own, note, score }) {
  const names = entities.map(({ name }) => name).join(", ");
  root.append(
    h("p", { dir: "auto" }, h("strong", {}, "About: "), names),
    h("p", {}, `Worth of your answer: ${Math.round(score * 100)} of 100.`),
    h("h3", {}, "Your answer"),
    own.length
      ? h("ul", { class: "own" }, own.map(({ phrase, worth }) => verdict(phrase, MATCHES[worth] || NEAR_MATCH)))
      : h("ul", { class: "own" }, verdict("N/A", MATCHES[gold.length ? 0 : 1])),
    h("h3", {}, gold.length > 1 ? "Phrases that we accept" : "Our answer"),
    h("ul", { class: "accepted" }, (gold.length ? gold : ["N/A"]).map((phrase) => h("li", { dir: "auto" }, phrase))),
    note ? h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note) : "",
  );
}

function verdict(phrase, [name, sign]) {
  return h("li", { class: name }, h("bdi", {}, phrase), h("span", { class: "sign" }, ` ${sign}`));
}
