// Links typed as lines, checked while one types; those without fault can be added to the list.
//
//   const typing = new Typing(page)   page: the Detection of detection.js
//   typing.node;  typing.restore()  shows page.typed;  typing.check()  says what is wrong with it

import { Offline, Problem } from "../../core/api.js";
import { button, fill, h } from "../../core/dom.js";
import { parse } from "./lines.js";
import { ordered, problemsOf } from "./rules.js";

const PAUSE = 400;

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
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  get found() {
    return parse(this.page.text, this.page.typed);
  }

  // What the rules say of each line, beside the links that are in the list already.
  faults({ mentions, problems }) {
    if (!mentions.length) return problems;
    const together = [...mentions, ...this.page.mentions];
    const rules = problemsOf(this.page.text, together, this.page.content.never);
    const broken = mentions.flatMap(({ line, title }, index) => {
      const known = this.page.pages.known.get(title)?.problem;
      return [...rules[index], ...(known ? [known] : [])].map((message) => ({ line, message }));
    });
    return [...problems, ...broken].sort((a, b) => a.line - b.line);
  }

  check() {
    const found = this.found;
    const faults = this.faults(found);
    const wrong = new Set(faults.map(({ line }) => line));
    const right = found.mentions.filter(({ line }) => !wrong.has(line));
    this.button.disabled = !right.length;
    fill(
      this.checks,
      right.map((one) => h("p", { class: "right" }, `Line ${one.line}: “${this.page.term(one)}” → ${this.leads(one)}`)),
      faults.map(({ line, message }) => h("p", { class: "problem" }, `Line ${line}: ${message}`)),
    );
  }

  leads({ title }) {
    const page = this.page.pages.known.get(title);
    if (!page) return title;
    if (!page.kind) return `${title}, which is not in the knowledge base: make sure that Wikipedia has it`;
    return page.title === title ? title : `${title}, which leads to ${page.title}`;
  }

  async look() {
    try {
      for (const { title } of this.found.mentions) await this.page.pages.page(title);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    }
    this.check();
  }

  // Lines with a fault stay; the rest go to the list, under the titles that they lead to.
  add() {
    const found = this.found;
    const wrong = new Set(this.faults(found).map(({ line }) => line));
    const right = found.mentions.filter(({ line }) => !wrong.has(line));
    const title = (one) => this.page.pages.known.get(one.title)?.title || one.title;
    const links = right.map((one) => ({ start: one.start, end: one.end, title: title(one) }));
    this.page.mentions = ordered([...this.page.mentions, ...links]);
    const lines = this.page.typed.split("\n");
    this.page.typed = lines.filter((_, index) => wrong.has(index + 1)).join("\n");
    this.field.value = this.page.typed;
    this.page.changed();
    this.page.context.announce(`${links.length} links added.`);
    this.field.focus();
  }
}
