// Runs an annotation page: gets work from the server, mounts the task's module, saves, undoes,
// submits, and shows the screens before, between and after items.
//
// A task's module (in the folder `page` of the task) exports
//   mount(root, {content, state, readonly}, context) -> page
//     content   the result of the task's `to_page`;  state  a draft, a suggestion or null
//     context.changed(kind?)   after each change; changes of one kind (e.g. "typing") are undone
//                              together
//     context.announce(text)   for screen readers
//     context.submit()         like the button
//     context.api, context.path   the API (see api.js), and the path of this item
//   stateOf(answer, content) -> state    the state for a stored answer, for corrections
//   style?                               path of a style sheet, relative to the module
// and a page has
//   state()            the draft, as JSON       restore(state)   shows another one
//   answer()           the answer for the API   problems()       [text]: why it cannot be submitted
//   ready?()           false: no submit button yet (an earlier step)
//   help               [[keys, text]] for the keyboard help
//   feedback?(root, feedback)  fills root with the gold answer beside the annotator's
//   destroy?()         before another item is shown

import { Api, Offline, Problem, retryOffline } from "./api.js";
import { Clock } from "./clock.js";
import { Corrections } from "./corrections.js";
import { ask, h, isComposing, keepFocus, loadStyle } from "./dom.js";
import { Drafts } from "./drafts.js";
import { Instructions } from "./instructions.js";
import { Frame } from "./frame.js";
import { EditConflicts } from "./editconflicts.js";
import * as screens from "./screens.js";
import { Sending } from "./sending.js";
import { History } from "./undo.js";

const RETRY_DELAY = 30_000; // Milliseconds between two requests for an item while waiting.
const INSTRUCTIONS_CHANGED = "The instructions have changed";
const CORRECTABLE = ["item", "waiting", "finished"];

export class Shell {
  constructor(root, { campaign, csrf, module }) {
    this.campaign = campaign;
    this.path = `/api/v1/work/${encodeURIComponent(campaign)}`;
    this.api = new Api(csrf);
    this.instructions = new Instructions(this.api, campaign);
    this.frame = new Frame(root, this.instructions, {
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
      submit: () => this.submit(),
      giveBack: () => this.giveBack(),
      help: () => this.help(),
      answers: () => this.corrections.choose(),
    });
    this.corrections = new Corrections(this);
    this.editConflicts = new EditConflicts(this);
    this.sending = new Sending(this);
    this.module = module;
    this.page = null;
    this.busy = false;
    this.stageMessage = null;
    this.visit = 0;
  }

  async start() {
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("beforeinput", (event) => this.onBeforeInput(event), { capture: true });
    addEventListener("pagehide", () => this.saveProgress());
    addEventListener("online", () => this.drafts?.send());
    this.frame.show(screens.loadingMessage());
    try {
      this.task = await import(this.module);
    } catch {
      const error = { message: "The page could not be loaded completely." };
      this.frame.show(screens.problemScreen(error, () => location.reload()));
      return;
    }
    await loadStyle(this.task.style, this.module);
    if (!(await this.sending.flush())) await this.next();
  }

  async next() {
    this.closeItem();
    const { visit } = this;
    const onwait = ({ message }, seconds) =>
      this.frame.offline(`Please wait: ${message}. Trying again in ${seconds} s.`);
    let work;
    let changed = false;
    try {
      work = await retryOffline(() => this.api.get(this.path), { onwait });
      if (work.item || (work.state !== "consent" && !this.instructions.version)) {
        changed = await retryOffline(() => this.instructions.update(work.guideline), { onwait });
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (visit === this.visit) this.frame.show(screens.problemScreen(error, () => this.next()));
      return;
    }
    if (visit !== this.visit) return;
    this.frame.online();
    this.frame.header(work);
    if (work.state === "item" && work.item) this.openItem(work.item, work.message);
    else this.showStatus(work);
    if (changed) this.announceInstructions();
    if (CORRECTABLE.includes(work.state)) this.corrections.offerUnsent();
  }

  // Show new instructions before the next item, as answers name their version.
  announceInstructions() {
    this.frame.announceNews(INSTRUCTIONS_CHANGED, "Please read them before you go on.");
  }

  showStatus(work) {
    const screen = screens.statusScreen(work, {
      consent: async (terms) => {
        await this.attempt(() => this.api.send("POST", `${this.path}/consent`, { terms }));
        await this.next();
      },
      again: () => this.next(),
    });
    this.frame.show(screen);
    screen.querySelector("h2")?.focus();
    if (work.state === "waiting") this.timer = setTimeout(() => this.next(), RETRY_DELAY);
  }

  openItem(item, message = null) {
    this.item = item;
    this.drafts = new Drafts(this.api, this.campaign, item, {
      onstate: (state) => this.frame.saved(state),
      onconflict: (storedState, submitting) => this.editConflicts.chooseVersion(storedState, submitting),
      onanswered: (message) => this.editConflicts.onAnswered(message),
      onended: (message) => this.editConflicts.onEnded(message),
    });
    const draft = this.drafts.load();
    this.mount(item, draft ?? item.suggestion ?? null);
    if (item.preannotated) this.frame.addNote(screens.SUGGESTED);
    if (message) this.frame.addNote(message);
    if (this.stageMessage) this.frame.announceNews("A new part begins", this.stageMessage);
    this.stageMessage = null;
  }

  mount(item, state, { readonly = false } = {}) {
    const root = h("div", { class: "item" });
    this.frame.show(root);
    this.page = this.task.mount(
      root,
      { content: item.content, state, readonly },
      {
        changed: (kind) => this.changed(kind),
        announce: (text) => this.frame.announce(text),
        submit: () => this.submit(),
        api: this.api,
        path: `${this.path}/${item.assignment}`,
      },
    );
    this.history = new History(this.page.state());
    this.clock = new Clock(this.drafts?.seconds || 0);
    this.tools();
    this.frame.focus();
  }

  // Make the page read-only.
  freeze() {
    const { item, page } = this;
    const state = page.state();
    this.drafts?.stop();
    this.clock.stop();
    page.destroy?.();
    this.mount(item, state, { readonly: true });
    this.frozen = this.page;
    this.page = null;
    this.frame.tools(null);
  }

  closeItem() {
    clearTimeout(this.timer);
    this.clock?.stop();
    (this.page ?? this.frozen)?.destroy?.();
    this.page = this.frozen = this.item = this.drafts = this.correcting = null;
    this.frame.tools(null);
    this.visit += 1;
  }

  tools() {
    this.frame.tools({
      undo: this.history.canUndo,
      redo: this.history.canRedo,
      ready: this.page.ready?.() ?? true,
      correcting: Boolean(this.correcting),
    });
  }

  changed(kind = null) {
    if (!this.page || this.busy) return;
    const state = this.page.state();
    this.history.record(state, kind);
    this.saveProgress(state);
    this.frame.showProblems([]);
    this.tools();
  }

  step(action) {
    const state = this.busy || !this.page ? null : this.history[action]();
    if (!state) return;
    keepFocus(this.frame.main, () => this.page.restore(state));
    this.saveProgress(state);
    this.frame.showProblems([]);
    this.frame.announce(action === "undo" ? "Undone." : "Done again.");
    this.tools();
  }

  saveProgress(state = null) {
    if (!this.drafts || this.drafts.closed) return;
    this.drafts.seconds = this.seconds;
    if (state !== null) {
      this.sending.dropUnsent(this.item);
      this.drafts.save(state);
    } else if (this.drafts.state !== null) this.drafts.store();
  }

  get seconds() {
    return Math.round((this.clock.seconds + (this.drafts?.secondsElsewhere || 0)) * 10) / 10;
  }

  submit() {
    return this.sending.submit();
  }

  setBusy(busy) {
    this.busy = busy;
    this.frame.setBusy(busy);
  }

  async giveBack() {
    const { item, drafts } = this;
    if (!item || this.busy) return;
    const label = "Why (if you like to say)";
    const reason = h("textarea", { rows: 2, maxlength: 500, "aria-label": label, dir: "auto" });
    const confirmed = await ask({
      title: "Give this item back?",
      body: [h("p", {}, "Somebody else gets it, and what you did on it is not kept."), reason],
      actions: [["Give it back", true, true], ["Stay here", false]],
    });
    if (!confirmed || this.item !== item) return;
    const path = `${this.path}/${item.assignment}/return`;
    this.setBusy(true);
    drafts.pause(true);
    try {
      await drafts.request;
      if (await this.attempt(() => this.api.send("POST", path, { reason: reason.value }))) {
        drafts.forget();
        await this.next();
      } else {
        drafts.pause(false);
      }
    } finally {
      this.setBusy(false);
    }
  }

  correct(item, drafts, state) {
    this.saveProgress();
    this.closeItem();
    this.item = item;
    this.drafts = drafts;
    this.correcting = item.answer_id;
    this.mount(item, state);
  }

  // Make a call that the annotator waits for, and show errors; null if it failed.
  async attempt(call) {
    try {
      const answer = await call();
      this.frame.online();
      return answer ?? {};
    } catch (error) {
      if (error instanceof Offline) this.frame.offline(`Try again soon: ${error.message}.`);
      else if (error instanceof Problem) this.frame.warn(error.message);
      else throw error;
      return null;
    }
  }

  help() {
    return ask(screens.keyboardDialog(this.page?.help || []));
  }

  onKey(event) {
    if (isComposing(event)) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const field = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (document.querySelector("dialog[open]")) return;
    if (hasControl && (key === "z" || key === "y") && this.page) {
      event.preventDefault();
      this.step(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (hasControl && key === "enter") {
      event.preventDefault();
      this.submit();
    } else if (event.key === "?" && !field && !hasControl) {
      event.preventDefault();
      this.help();
    }
  }

  // The browser's own undo only knows the focused field.
  onBeforeInput(event) {
    const action = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (!action || !this.page || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.step(action);
  }
}
