// The aggregation page: a phrase that means several entities at once (Jumel et al. 2020, §3.3).
//
// State: {first, second, none}: the two fields and the N/A box. While the box is ticked the fields
// are closed; what is in them stays, and is not sent.

import { composing, fill, h, unique } from "../../core/dom.js";
import { About, Article } from "./article.js";
import { Rules } from "./rules.js";

export const style = "aggregation.css";

const HELP = [
  ["1 – 9", "Whom a number means: marks the mentions and opens the background"],
  ["← →", "From mention to mention in the article; Enter or Space chooses one"],
  ["Enter", "From the first phrase to the second"],
  ["N", "N/A, outside of the fields"],
];
const LONGEST = 500;
const NEAR = ["near", "≈ near to one of ours"];
const WORTH = { 1: ["right", "✓ one of ours"], 0: ["wrong", "✗ not among ours"] };

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
    this.listen = (event) => this.key(event);
    document.addEventListener("keydown", this.listen);
    this.restore(state);
  }

  destroy() {
    document.removeEventListener("keydown", this.listen);
  }

  build(root) {
    const { lead, standard } = this.content.prompt;
    this.article = new Article(this.content, (number) => this.about.show(number));
    this.about = new About(this.content);
    this.slot = h("mark", { class: "slot", dir: "auto" });
    this.fields = [
      this.field(`Your phrase, in the place of “${standard}”`),
      this.field("A second phrase, if you have one"),
    ];
    this.none = h("input", {
      type: "checkbox",
      disabled: this.readonly,
      onchange: () => this.tick(),
    });
    this.closed = h("p", { class: "faint", role: "status" });
    root.append(h("div", { class: "aggregation" },
      this.article.node,
      this.about.node,
      h("section", { class: "card answering", "aria-label": "Your answer" },
        h("h2", {}, "What would you call them, all at once?"),
        h("p", { class: "reading prompt", dir: "auto" }, lead, " ", this.slot, " …"),
        this.fields.map(({ node }) => node),
        h("label", { class: "none" }, this.none, "N/A: no natural phrase means all of them"),
        this.closed)));
  }

  field(label) {
    const said = h("div", { class: "findings", id: unique("findings"), role: "status" });
    const input = h("input", {
      id: unique("phrase"),
      type: "text",
      dir: "auto",
      maxlength: LONGEST,
      autocomplete: "off",
      spellcheck: "true",
      readOnly: this.readonly,
      "aria-describedby": said.id,
      oninput: () => {
        this.draw();
        this.context.changed("typing");
      },
    });
    const node = h("div", { class: "phrase" },
      h("label", { for: input.id }, h("strong", {}, label)), input, said);
    return { node, input, said };
  }

  get phrases() {
    return this.fields.map(({ input }) => input.value);
  }

  state() {
    const [first, second] = this.phrases;
    return { first, second, none: this.none.checked };
  }

  restore(state) {
    const text = (value) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
    [state?.first, state?.second].forEach((value, index) => {
      const { input } = this.fields[index];
      if (input.value !== text(value)) input.value = text(value);
    });
    this.none.checked = state?.none === true;
    this.draw();
  }

  answer() {
    const none = this.none.checked;
    return { phrases: none ? [] : this.phrases.filter((phrase) => phrase.trim()), not_applicable: none };
  }

  problems() {
    if (this.none.checked) return [];
    if (!this.phrases.some((phrase) => phrase.trim())) return ["Write a phrase, or tick N/A."];
    const names = ["First phrase", "Second phrase"];
    return this.rules.of(this.phrases).flatMap((found, index) =>
      found.filter(({ refused }) => refused).map(({ message }) => `${names[index]}: ${message}`));
  }

  tick() {
    this.draw();
    this.context.announce(this.none.checked ? "N/A: the phrases are closed." : "The phrases are open.");
    this.context.changed();
  }

  draw() {
    const none = this.none.checked;
    const findings = this.rules.of(this.phrases);
    this.fields.forEach(({ node, input, said }, index) => {
      const found = none ? [] : findings[index];
      input.disabled = none;
      node.classList.toggle("closed", none);
      input.setAttribute("aria-invalid", String(found.some(({ refused }) => refused)));
      const shown = found.map(({ message }) => message).join("\n");
      if (said.dataset.shown === shown) return;
      said.dataset.shown = shown;
      fill(said, found.map(({ rule, message, refused }) =>
        h("p", { class: refused ? "refused" : "advice", "data-rule": rule }, message)));
    });
    const kept = none && this.phrases.some((phrase) => phrase.trim());
    const note = kept ? "What you wrote is kept, but not sent while N/A is ticked." : "";
    if (this.closed.textContent !== note) this.closed.textContent = note;
    this.slot.textContent = this.said(none);
    this.slot.classList.toggle("written", this.slot.textContent !== this.content.prompt.standard);
  }

  // The phrase as the sentence would begin with it.
  said(none) {
    const phrase = this.phrases.find((one) => one.trim())?.trim();
    if (none || !phrase) return this.content.prompt.standard;
    const [first, ...rest] = phrase;
    return first.toUpperCase() + rest.join("");
  }

  pick(number) {
    if (!this.content.entities[number]) return;
    this.article.pick(number);
    this.about.show(number);
    this.about.cards[number].scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]")) return;
    if (target === this.fields[0].input) {
      if (key !== "Enter" || composing(event)) return;
      this.fields[1].input.focus();
    } else if (target.closest("input[type=text], textarea, select")) return;
    else if (target !== document.body && !target.closest("main")) return;
    else if (/^[1-9]$/.test(key)) this.pick(Number(key) - 1);
    else if (key.toLowerCase() === "n" && !this.readonly) {
      this.none.checked = !this.none.checked;
      this.tick();
    } else return;
    event.preventDefault();
  }

  feedback(root, feedback) {
    comparePhrases(root, this.content, feedback);
  }
}

// Training on the aggregation page: one's own phrases beside the accepted ones.
//
//   comparePhrases(root, content, {gold: [phrase], own: [{phrase, worth}], note, score})

function comparePhrases(root, { entities }, { gold, own, note, score }) {
  const names = entities.map(({ name }) => name).join(", ");
  root.append(
    h("p", { dir: "auto" }, h("strong", {}, "About: "), names),
    h("p", {}, `Worth of your answer: ${Math.round(score * 100)} of 100.`),
    h("h3", {}, "Your answer"),
    own.length
      ? h("ul", { class: "own" }, own.map(({ phrase, worth }) => verdict(phrase, WORTH[worth] || NEAR)))
      : h("ul", { class: "own" }, verdict("N/A", WORTH[gold.length ? 0 : 1])),
    h("h3", {}, gold.length > 1 ? "Phrases that we accept" : "Our answer"),
    h("ul", { class: "accepted" }, (gold.length ? gold : ["N/A"]).map((phrase) => h("li", { dir: "auto" }, phrase))),
    note ? h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note) : "",
  );
}

function verdict(phrase, [name, sign]) {
  return h("li", { class: name }, h("bdi", {}, phrase), h("span", { class: "sign" }, ` ${sign}`));
}
