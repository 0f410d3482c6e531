// Decides between answers: the task's own page, filled with what the rule settles or with any
// annotator's answer, with undo, a note, and a draft that this browser keeps until it is saved.

import { Api, Offline, Problem } from "../core/api.js";
import { ask, button, composing, fill, h, inPlace, styled, unique } from "../core/dom.js";
import * as screens from "../core/screens.js";
import { History } from "../core/undo.js";

const root = document.getElementById("adjudicate");
const { address, asks, module, rule, csrf, next, skip, draft } = root.dataset;
const KEPT = `tatian adjudication ${draft}`;

class Adjudication {
  constructor() {
    this.api = new Api(csrf);
    this.busy = false;
    this.space = h("div", { class: "deciding item", role: "group", "aria-labelledby": "deciding" });
    this.trouble = h("div", { class: "problems", role: "alert" });
    this.live = h("div", { class: "unseen", "aria-live": "polite" });
    this.undo = button("Undo", () => this.step("undo"), { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", () => this.step("redo"), { "aria-keyshortcuts": "Control+Shift+Z" });
    this.send = button("Save and next", () => this.save(), {
      class: "primary",
      "aria-keyshortcuts": "Control+Enter",
    });
    const label = unique("note");
    this.note = h("textarea", {
      id: label,
      rows: 2,
      maxlength: 2000,
      dir: "auto",
      oninput: () => this.keep(),
    });
    this.noted = h("div", { class: "field" }, h("label", { for: label }, "Note ",
      h("span", { class: "optional" }, "optional; why you decide so")), this.note);
  }

  async start() {
    try {
      this.item = await this.api.get(`${address}?rule=${encodeURIComponent(rule)}`);
      this.task = await import(module);
    } catch (error) {
      const why = error instanceof Problem || error instanceof Offline ? `: ${error.message}` : "";
      const again = button("Try again", () => location.reload());
      fill(root, h("p", { role: "alert" }, `The item could not be loaded${why}. `, again));
      return;
    }
    await styled(this.task.style, module);
    this.draw();
    for (const take of document.querySelectorAll("[data-take]")) {
      const given = this.item.answers.find(({ id }) => id === take.dataset.take);
      take.disabled = !given;
      take.addEventListener("click", () => this.take(given.answer, "The answer is below."));
    }
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeinput", (event) => this.native(event), { capture: true });
  }

  draw() {
    const { settled, decision } = this.item;
    const starts = [
      decision && button("Start from the decision", () => this.take(decision.answer, "As decided.")),
      settled && button("Start from the rule’s answer", () => this.take(settled, "As the rule has it.")),
      button("Keys", () => this.help(), { "aria-keyshortcuts": "?" }),
    ];
    fill(
      root,
      h("div", { class: "starts" }, starts),
      this.space,
      this.noted,
      this.trouble,
      h("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" }, this.undo, this.redo,
        this.send, h("a", { class: "button", href: skip }, "Decide later")),
      this.live,
    );
    const start = decision?.answer ?? settled;
    const kept = this.kept();
    this.note.value = kept?.note ?? decision?.note ?? "";
    this.page = this.task.mount(
      this.space,
      {
        content: this.item.content,
        state: kept?.state ?? (start ? this.state(start) : null),
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

  state(answer) {
    return this.task.stateOf(answer, this.item.content);
  }

  take(answer, said) {
    if (this.busy) return;
    this.page.restore(this.state(answer));
    this.changed();
    this.announce(said);
    this.space.scrollIntoView({ block: "nearest" });
  }

  changed(kind = null) {
    if (!this.page || this.busy) return;
    this.history.note(this.page.state(), kind);
    this.problems([]);
    this.keep();
    this.tools();
  }

  step(way) {
    const state = this.busy ? null : this.history[way]();
    if (!state) return;
    inPlace(this.space, () => this.page.restore(state));
    this.announce(way === "undo" ? "Undone." : "Done again.");
    this.problems([]);
    this.keep();
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
    this.hold(true);
    try {
      await this.api.send("POST", address, {
        answer: this.page.answer(),
        note: this.note.value,
        replaces: this.item.decision?.id ?? null,
        answers: [...document.querySelectorAll("[data-take]")].map(({ dataset }) => dataset.take),
      });
      this.forget();
      location.assign(next);
    } catch (error) {
      this.hold(false);
      if (error instanceof Offline) this.problems([`Not sent, ${error.message}: try again soon.`]);
      else if (error instanceof Problem) this.problems([error.message], error.status === 409);
      else throw error;
    }
  }

  problems(texts, overtaken = false) {
    const again = overtaken && button("Show their decision", () => location.reload());
    const list = h("ul", {}, texts.map((text) => h("li", {}, text)));
    fill(this.trouble, texts.length ? [h("p", {}, "Not saved yet:"), list, again] : null);
    if (texts.length) this.trouble.scrollIntoView({ block: "nearest" });
  }

  hold(busy) {
    this.busy = busy;
    this.space.inert = this.send.inert = busy;
  }

  announce(text) {
    this.live.textContent = "";
    setTimeout(() => {
      this.live.textContent = text;
    }, 50);
  }

  // A draft of this browser; one that was begun before somebody else decided is not shown again.
  kept() {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT));
      return found && found.decision === (this.item.decision?.id ?? null) ? found : null;
    } catch {
      return null;
    }
  }

  keep() {
    const decision = this.item.decision?.id ?? null;
    const found = { state: this.page.state(), note: this.note.value, decision };
    try {
      localStorage.setItem(KEPT, JSON.stringify(found));
    } catch {
      // The storage is full or switched off: the page works on without a draft.
    }
  }

  forget() {
    localStorage.removeItem(KEPT);
  }

  help() {
    const screen = screens.help(this.page.help || []);
    return ask(screen);
  }

  key(event) {
    if (composing(event)) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (document.querySelector("dialog[open]")) return;
    if (control && key === "enter") {
      event.preventDefault();
      this.save();
    } else if (control && (key === "z" || key === "y") && event.target !== this.note) {
      event.preventDefault();
      this.step(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (event.key === "?" && !event.target.closest("input, textarea, select")) {
      event.preventDefault();
      this.help();
    }
  }

  // The browser's own undo would not know about anything but the field it is in.
  native(event) {
    const way = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (!way || event.target === this.note) return;
    event.preventDefault();
    this.step(way);
  }
}

new Adjudication().start();
