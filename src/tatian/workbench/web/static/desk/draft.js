// Checking a draft: somebody's text held against the accounts, sentence by sentence.

import { button, fill, h } from "../core/dom.js";
import { read, write } from "../core/storage.js";
import { VERDICTS, count, named, sentence, traced } from "./wording.js";

const ORDER = ["contradicted", "unsupported", "partly", "unknown", "supported"];

export class Draft {
  constructor(project) {
    this.project = project;
    this.key = `tatian desk draft ${project.id}`;
    const kept = read(this.key) || {};
    this.check = kept.check || null;
    this.text = h("textarea", { id: "draft", rows: 10, class: "reading", dir: "auto", value: kept.text || "" });
    this.text.addEventListener("input", () => {
      this.keep();
      this.drawButton();
    });
    this.button = button("Check it", () => this.send(), { class: "primary" });
    this.status = h("p", { role: "status", class: "faint" });
    this.result = h("div", {});
    this.node = h(
      "section",
      { class: "checking", "aria-labelledby": "check-title" },
      h("h2", { id: "check-title", tabindex: -1 }, "Check a draft"),
      h("p", {}, "Paste somebody's text on the same story. Each of its sentences is held against the accounts."),
      h("label", { for: "draft" }, "The draft"),
      this.text,
      h("div", { class: "actions" }, this.button, this.status),
      this.result,
    );
    if (this.check) this.heard(this.check);
  }

  keep() {
    write(this.key, { text: this.text.value, check: this.check });
  }

  draw() {
    this.drawButton();
  }

  drawButton() {
    const { accounts } = this.project.state;
    this.button.disabled = !accounts.length || !this.text.value.trim();
    if (!accounts.length) fill(this.status, "Put in the accounts first.");
  }

  async send() {
    fill(this.status, "Checking …");
    try {
      this.take(await this.project.server.check(this.project.id, this.text.value));
    } catch (error) {
      fill(this.status, sentence(error.message));
    }
  }

  take(found) {
    this.check = found.check;
    this.keep();
    if (found.state === "waiting") fill(this.status, "Checking …");
    else if (found.state === "failed") fill(this.status, sentence(found.problem));
    else this.show(found.trace);
  }

  async heard(check) {
    if (check !== this.check) return;
    try {
      this.take(await this.project.server.checked(this.project.id, check));
    } catch {
      this.check = null; // The check of another day: gone, and the draft is still there.
    }
  }

  show({ text, sentences, untold }) {
    const characters = [...text];
    const counts = ORDER.map((name) => [name, sentences.filter((one) => one.verdict === name).length]).filter(([, number]) => number);
    fill(this.status, `${count(sentences.length, "sentence")} checked.`);
    fill(
      this.result,
      h("ul", { class: "counts" }, counts.map(([name, number]) => h("li", { class: `chip verdict-${name}` }, `${VERDICTS[name][0]} ${number} · ${VERDICTS[name][1]}`))),
      h("ol", { class: "traced" }, sentences.map((one) => h("li", { class: `verdict-${one.verdict}` }, traced(one, characters, (account) => this.named(account))))),
      untold.length
        ? h("details", { open: sentences.length < 40 }, h("summary", {}, `The accounts tell ${count(untold.length, "sentence")} more`), h("ul", { class: "untold" }, untold.map((one) => h("li", {}, this.named(one.account), " ", h("span", { dir: "auto" }, one.text)))))
        : "",
    );
  }

  named(account) {
    const at = this.project.state.accounts.findIndex(({ id }) => id === account);
    return at < 0 ? "" : named(at, this.project.state.accounts[at]);
  }
}
