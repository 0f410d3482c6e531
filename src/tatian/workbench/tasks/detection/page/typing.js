// Links typed as lines and checked meanwhile; correct ones can be added to the list.
//
//   const typing = new Typing(page)   page: the Detection of detection.js
//   typing.node;  typing.restore()  shows page.typed;  typing.check()  shows its problems

import { Offline, Problem } from "../../core/api.js";
import { button, fill, h } from "../../core/dom.js";
import { parse } from "./lines.js";
import { problemsOf, sortMentions } from "./rules.js";

const DELAY = 400; // Milliseconds after the last key.

export class Typing {
  constructor(page) {
    this.page = page;
    this.field = h("textarea", {
      rows: 4, dir: "auto", spellcheck: "false", maxlength: 20000,
      "aria-describedby": "typed-checks",
      oninput: () => this.input(),
    });
    this.checks = h("div", { id: "typed-checks", class: "checks", role: "status" });
    this.button = button("Add to the list", () => this.add());
    this.node = h("details", { class: "typing" },
      h("summary", {}, "Type links"),
      h("label", {}, "One term#page a line, in the order of the text", this.field),
      this.checks,
      this.button);
  }

  restore() {
    const { typed } = this.page;
    if (this.field.value !== typed) this.field.value = typed;
    if (typed.trim()) this.node.open = true;
  }

  input() {
    this.page.typed = this.field.value;
    this.page.changed("typing");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.loadPages(), DELAY);
  }

  get parsed() {
    return parse(this.page.text, this.page.typed);
  }

  // The problems of each line, also with the links in the list.
  findProblems({ mentions, problems }) {
    if (!mentions.length) return problems;
    const together = [...mentions, ...this.page.mentions];
    const rules = problemsOf(this.page.text, together, this.page.content.never);
    const ruleProblems = mentions.flatMap(({ line, title }, index) => {
      const known = this.page.pages.known.get(title)?.problem;
      return [...rules[index], ...(known ? [known] : [])].map((message) => ({ line, message }));
    });
    return [...problems, ...ruleProblems].sort((a, b) => a.line - b.line);
  }

  check() {
    const parsed = this.parsed;
    const problems = this.findProblems(parsed);
    const problemLines = new Set(problems.map(({ line }) => line));
    const correct = parsed.mentions.filter(({ line }) => !problemLines.has(line));
    this.button.disabled = !correct.length;
    fill(
      this.checks,
      correct.map((mention) => h("p", { class: "right" }, `Line ${mention.line}: “${this.page.term(mention)}” → ${this.targetText(mention)}`)),
      problems.map(({ line, message }) => h("p", { class: "problem" }, `Line ${line}: ${message}`)),
    );
  }

  targetText({ title }) {
    const page = this.page.pages.known.get(title);
    if (!page) return title;
    if (!page.kind) return `${title}, which is not in the knowledge base: make sure that Wikipedia has it`;
    return page.title === title ? title : `${title}, which leads to ${page.title}`;
  }

  async loadPages() {
    try {
      for (const { title } of this.parsed.mentions) await this.page.pages.page(title);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    }
    this.check();
  }

  // Add correct lines to the list, with redirects followed; lines with problems stay.
  add() {
    const parsed = this.parsed;
    const problemLines = new Set(this.findProblems(parsed).map(({ line }) => line));
    const correct = parsed.mentions.filter(({ line }) => !problemLines.has(line));
    const title = (mention) => this.page.pages.known.get(mention.title)?.title || mention.title;
    const links = correct.map((mention) => ({ start: mention.start, end: mention.end, title: title(mention) }));
    this.page.mentions = sortMentions([...this.page.mentions, ...links]);
    const lines = this.page.typed.split("\n");
    this.page.typed = lines.filter((_, index) => problemLines.has(index + 1)).join("\n");
    this.field.value = this.page.typed;
    this.page.changed();
    this.page.context.announce(`${links.length} links added.`);
    this.field.focus();
  }
}
