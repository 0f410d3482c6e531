// Decide an item on the task's own page. It starts with the rule's or an annotator's answer, and keeps
// a draft in the browser until the decision is saved.

import { Api, Offline, Problem } from "../core/api.js";
import { announce, ask, button, fill, h, isComposing, keepFocus, loadStyle, unique } from "../core/dom.js";
import * as screens from "../core/screens.js";
import { read, remove, write } from "../core/storage.js";
import { History } from "../core/undo.js";

const root = document.getElementById("adjudicate");
const { address, asks, module, rule, csrf, next, skip, draft } = root.dataset;
const DRAFT_KEY = `tatian adjudication ${draft}`;

class Adjudication {
  constructor() {
    this.api = new Api(csrf);
    this.busy = false;
    this.decisionArea = h("div", { class: "deciding item", role: "group", "aria-labelledby": "deciding" });
    this.problemList = h("div", { class: "problems", role: "alert" });
    this.announcer = h("div", { class: "unseen", "aria-live": "polite" });
    this.undo = button("Undo", () => this.undoOrRedo("undo"), { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", () => this.undoOrRedo("redo"), { "aria-keyshortcuts": "Control+Shift+Z" });
    this.saveButton = button("Save and next", () => this.save(), {
      class: "primary",
      "aria-keyshortcuts": "Control+Enter",
    });
    const label = unique("note");
    this.note = h("textarea", {
      id: label,
      rows: 2,
      maxlength: 2000,
      dir: "auto",
      oninput: () => this.storeDraft(),
    });
    this.noteField = h("div", { class: "field" }, h("label", { for: label }, "Note ",
      h("span", { class: "optional" }, "optional; why you decide so")), this.note);
  }

  async start() {
    try {
      this.item = await this.api.get(`${address}?rule=${encodeURIComponent(rule)}`);
      this.task = await import(module);
    } catch (error) {
      const why = error instanceof Problem || error instanceof Offline ? `: ${error.message}` : "";
      const offerReload = button("Try again", () => location.reload());
      fill(root, h("p", { role: "alert" }, `The item could not be loaded${why}. `, offerReload));
      return;
    }
    await loadStyle(this.task.style, module);
    this.draw();
    for (const answerButton of document.querySelectorAll("[data-take]")) {
      const answer = this.item.answers.find(({ id }) => id === answerButton.dataset.take);
      answerButton.disabled = !answer;
      answerButton.addEventListener("click", () => this.useAnswer(answer.answer, "The answer is below."));
    }
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeinput", (event) => this.onBeforeInput(event), { capture: true });
  }

  draw() {
    const { settled, decision } = this.item;
    const startButtons = [
      decision && button("Start from the decision", () => this.useAnswer(decision.answer, "As decided.")),
      settled && button("Start from the rule’s answer", () => this.useAnswer(settled, "As the rule has it.")),
      button("Keys", () => this.help(), { "aria-keyshortcuts": "?" }),
    ];
    fill(
      root,
      h("div", { class: "starts" }, startButtons),
      this.decisionArea,
      this.noteField,
      this.problemList,
      h("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" }, this.undo, this.redo,
        this.saveButton, h("a", { class: "button", href: skip }, "Decide later")),
      this.announcer,
    );
    const start = decision?.answer ?? settled;
    const stored = this.storedDraft();
    this.note.value = stored?.note ?? decision?.note ?? "";
    this.page = this.task.mount(
      this.decisionArea,
      {
        content: this.item.content,
        state: stored?.state ?? (start ? this.toState(start) : null),
        readonly: false,
        options: {},
      },
      {
        changed: (kind) => this.changed(kind),
        announce: (text) => this.announce(text),
        submit: () => this.save(),
        api: this.api,
        path: asks,
      },
    );
    this.history = new History(this.page.state());
    this.tools();
  }

  toState(answer) {
    return this.task.stateOf(answer, this.item.content);
  }

  useAnswer(answer, message) {
    if (this.busy) return;
    this.page.restore(this.toState(answer));
    this.changed();
    this.announce(message);
    this.decisionArea.scrollIntoView({ block: "nearest" });
  }

  changed(kind = null) {
    if (!this.page || this.busy) return;
    this.history.record(this.page.state(), kind);
    this.problems([]);
    this.storeDraft();
    this.tools();
  }

  undoOrRedo(action) {
    const state = this.busy ? null : this.history[action]();
    if (!state) return;
    keepFocus(this.decisionArea, () => this.page.restore(state));
    this.announce(action === "undo" ? "Undone." : "Done again.");
    this.problems([]);
    this.storeDraft();
    this.tools();
  }

  tools() {
    this.undo.disabled = !this.history.canUndo;
    this.redo.disabled = !this.history.canRedo;
  }

  async save() {
    if (this.busy) return;
    const problems = this.page.problems();
    this.problems(problems);
    if (problems.length) return;
    this.setBusy(true);
    try {
      await this.api.send("POST", address, {
        answer: this.page.answer(),
        note: this.note.value,
        replaces: this.item.decision?.id ?? null,
        answers: [...document.querySelectorAll("[data-take]")].map(({ dataset }) => dataset.take),
      });
      remove(DRAFT_KEY);
      location.assign(next);
    } catch (error) {
      this.setBusy(false);
      if (error instanceof Offline) this.problems([`Not sent, ${error.message}: try again soon.`]);
      else if (error instanceof Problem) this.problems([error.message], error.status === 409);
      else throw error;
    }
  }

  problems(texts, overtaken = false) {
    const offerReload = overtaken && button("Show their decision", () => location.reload());
    const list = h("ul", {}, texts.map((text) => h("li", {}, text)));
    fill(this.problemList, texts.length ? [h("p", {}, "Not saved yet:"), list, offerReload] : null);
    if (texts.length) this.problemList.scrollIntoView({ block: "nearest" });
  }

  setBusy(busy) {
    this.busy = busy;
    this.decisionArea.inert = this.saveButton.inert = busy;
  }

  announce(text) {
    announce(this.announcer, text);
  }

  // The draft in the browser, unless somebody has decided since it was begun.
  storedDraft() {
    const draft = read(DRAFT_KEY);
    return draft && draft.decision === (this.item.decision?.id ?? null) ? draft : null;
  }

  storeDraft() {
    const decision = this.item.decision?.id ?? null;
    write(DRAFT_KEY, { state: this.page.state(), note: this.note.value, decision });
  }

  help() {
    return ask(screens.keyboardDialog(this.page.help || []));
  }

  key(event) {
    if (isComposing(event)) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (document.querySelector("dialog[open]")) return;
    if (hasControl && key === "enter") {
      event.preventDefault();
      this.save();
    } else if (hasControl && (key === "z" || key === "y") && event.target !== this.note) {
      event.preventDefault();
      this.undoOrRedo(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (event.key === "?" && !event.target.closest("input, textarea, select")) {
      event.preventDefault();
      this.help();
    }
  }

  // The browser's own undo only knows the focused field.
  onBeforeInput(event) {
    const action = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (!action || event.target === this.note) return;
    event.preventDefault();
    this.undoOrRedo(action);
  }
}

new Adjudication().start();
