// The view to check a draft: a text is verified against the sources, sentence by sentence.

import { ask, button, fill, h } from "../core/dom.js";
import { read, write } from "../core/storage.js";
import { choose } from "./intake.js";
import { verdictParts } from "./passages.js";
import { VERDICTS, count, nameOf, named, sentence } from "./wording.js";

const ORDER = ["contradicted", "unsupported", "partly", "unknown", "supported"];

export class Draft {
  constructor(project) {
    this.project = project;
    this.key = `tatian desk draft ${project.id}`;
    const saved = read(this.key) || {};
    this.check = saved.check || null;
    this.text = h("textarea", { id: "draft", rows: 10, class: "reading", dir: "auto", value: saved.text || "" });
    this.text.addEventListener("input", () => {
      this.save();
      this.drawButton();
    });
    this.button = button("Check it", () => this.send(), { class: "primary" });
    this.status = h("p", { role: "status", class: "faint" });
    this.result = h("div", {});
    this.node = h(
      "section",
      { class: "checking", "aria-labelledby": "check-title" },
      h("h2", { id: "check-title", tabindex: -1 }, "Check a draft"),
      h("p", {}, "Paste somebody's text on the same story, or choose or drop its file. Each of its sentences is checked against the sources. A letter after a sentence opens what that source says."),
      h("label", { for: "draft" }, "The draft"),
      this.text,
      h("div", { class: "actions" }, this.button, button("Choose a file", () => choose((files) => this.read(files), { multiple: false })), this.status),
      this.result,
    );
    if (this.check) this.refresh(this.check);
  }

  save() {
    write(this.key, { text: this.text.value, check: this.check });
  }

  draw() {
    this.drawButton();
  }

  drawButton() {
    const { accounts } = this.project.state;
    this.button.disabled = !accounts.length || !this.text.value.trim();
    if (!accounts.length) fill(this.status, "Add the sources first.");
  }

  // Replace the text by a file; ask first if somebody typed it.
  async read([file]) {
    const isTyped = this.text.value.trim() && this.text.value !== this.fromFile;
    if (isTyped && !(await confirmReplacement())) return;
    fill(this.status, "Reading ", h("bdi", {}, file.name), " …");
    try {
      const { text, notes } = await this.project.server.readDraft(this.project.id, file);
      this.text.value = this.fromFile = text;
      this.save();
      this.drawButton();
      fill(this.status, [`${file.name} was read.`, ...notes.map(sentence)].join(" "));
      this.button.focus();
    } catch (error) {
      fill(this.status, `${error.message}.`); // It may begin with the file's name.
    }
  }

  async send() {
    fill(this.status, "Checking …");
    try {
      this.update(await this.project.server.check(this.project.id, this.text.value));
    } catch (error) {
      fill(this.status, sentence(error.message));
    }
  }

  update(result) {
    this.check = result.check;
    this.save();
    if (result.state === "waiting") fill(this.status, "Checking …");
    else if (result.state === "failed") fill(this.status, sentence(result.problem));
    else this.show(result.trace);
  }

  async refresh(check) {
    if (check !== this.check) return;
    try {
      this.update(await this.project.server.checked(this.project.id, check));
    } catch {
      this.check = null; // The server no longer has the check; the draft is still here.
    }
  }

  show({ text, sentences, untold: leftOut }) {
    const characters = [...text];
    const counts = ORDER.map((name) => [name, sentences.filter((checked) => checked.verdict === name).length]).filter(([, number]) => number);
    fill(this.status, `${count(sentences.length, "sentence")} checked.`);
    fill(
      this.result,
      h("ul", { class: "counts" }, counts.map(([name, number]) => h("li", { class: `chip verdict-${name}` }, `${VERDICTS[name][0]} ${number} · ${VERDICTS[name][1]}`))),
      h("ol", { class: "checked-sentences" }, sentences.map((checked) => h("li", { class: `verdict-${checked.verdict}` }, verdictParts(checked, characters, this.sources)))),
      leftOut.length
        ? h("details", { open: sentences.length < 40 }, h("summary", {}, `The sources have ${count(leftOut.length, "more sentence")}`), h("ul", { class: "left-out" }, leftOut.map((passage) => h("li", {}, this.named(passage.account), " ", h("span", { dir: "auto" }, passage.text)))))
        : "",
    );
  }

  get sources() {
    const { accounts } = this.project.state;
    const place = (account) => accounts.findIndex(({ id }) => id === account);
    return { place, named: (account) => (accounts[place(account)] ? nameOf(accounts[place(account)]) : "a source that was removed") };
  }

  named(account) {
    const at = this.project.state.accounts.findIndex(({ id }) => id === account);
    return at < 0 ? "" : named(at, this.project.state.accounts[at]);
  }
}

function confirmReplacement() {
  return ask({
    title: "Replace the draft?",
    body: h("p", {}, "The text of the file replaces what is in the field."),
    actions: [["Replace it", true, true], ["Keep it", false]],
  });
}
