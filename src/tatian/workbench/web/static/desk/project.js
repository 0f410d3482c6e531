// The page of a project: its state, its changes, its three views.
//
//   project.state           {title, accounts, weaving, exports} from the server
//   project.consolidation   the text; null before the first consolidation
//   project.decide(decision, message, after)   send a decision; `message` is announced when it is done
//   project.act(call, message, after)          the same for any call that returns the new text
//   project.change(call, message)              change sources or title, then load everything again
//   project.server, .id, .announce(text), .go(place)

import { button, fill, h, isComposing } from "../core/dom.js";
import { closeMenu, menuButton } from "../core/menu.js";
import { SourceList } from "./sourcelist.js";
import { Draft } from "./draft.js";
import { ACTION_NAMES, Failures } from "./failures.js";
import { PREDICTIONS, UNPREDICTABLE_AFTER_OTHERS } from "./predictions.js";
import { ModelsLine } from "./models.js";
import { Reading } from "./reading.js";
import { changes, count, sentence } from "./wording.js";

const ORDER = ["docx", "html", "md", "text", "tei", "json"]; // Other formats follow.
const RUNNING = new Set(["waiting", "running"]);
const VIEWS = [
  ["put-in", "Sources"],
  ["read", "Text"],
  ["check", "Check a draft"],
];

export class Project {
  constructor(root, server, id) {
    this.root = root;
    this.server = server;
    this.id = id;
    this.queue = Promise.resolve();
    this.pending = 0;
    this.state = null;
    this.consolidation = null;
    this.predicted = null; // Sentences shown until the server answers.
    this.texts = new Map(); // Sentences by number of decisions in force, for undo and redo.
    this.failures = new Failures((failures) => this.retry(failures));
  }

  async start() {
    try {
      await this.reopen();
    } catch (error) {
      fill(this.root, h("h1", {}, "This project cannot be opened"), h("p", {}, sentence(error.message)), h("p", {}, h("a", { href: "/desk" }, "To your projects")));
      return;
    }
    this.models = new ModelsLine(this.server);
    this.sourceList = new SourceList(this);
    this.reading = new Reading(this);
    this.draft = new Draft(this);
    this.views = { "put-in": this.sourceList.node, read: this.reading.node, check: this.draft.node };
    this.build();
    addEventListener("hashchange", () => this.show());
    addEventListener("keydown", (event) => this.onKey(event));
    this.draw();
    this.sourceList.restoreMessages();
    this.show({ first: true });
    this.follow();
  }

  build() {
    this.title = h("input", { class: "project-title", "aria-label": "Title of the project", dir: "auto", autocomplete: "off", placeholder: "Without a title" });
    this.title.addEventListener("change", () => {
      const title = this.title.value.trim();
      this.change(() => this.server.rename(this.id, title), "Saved.");
    });
    this.tabs = VIEWS.map(([place, label]) => h("a", { href: `#${place}` }, label));
    this.downloads = menuButton("Download ▾", () => this.formats(), { class: "downloads" });
    this.announcer = h("p", { class: "unseen", role: "status" });
    this.progress = h("div", { class: "run", hidden: true });
    fill(
      this.root,
      h("header", { class: "project-head" }, h("h1", {}, this.title)),
      h(
        "div",
        { class: "project-bar" },
        h("nav", { class: "tabs", "aria-label": "Project" }, this.tabs),
        h("div", { class: "stays" }, this.reading.bar, this.downloads),
      ),
      this.failures.node,
      this.progress,
      this.announcer,
      ...Object.values(this.views),
    );
  }

  // Views

  get requestedView() {
    const view = location.hash.slice(1);
    if (this.views[view]) return view;
    return this.consolidation ? "read" : "put-in";
  }

  go(place) {
    if (location.hash.slice(1) === place) this.show();
    else location.hash = place;
  }

  show({ first = false } = {}) {
    closeMenu({ focus: false });
    const place = this.requestedView;
    this.place = place;
    VIEWS.forEach(([name], at) => {
      this.views[name].hidden = name !== place;
      if (name === place) this.tabs[at].setAttribute("aria-current", "page");
      else this.tabs[at].removeAttribute("aria-current");
    });
    document.documentElement.dataset.place = place;
    this.reading.setVisible(place === "read");
    if (!first) this.views[place].querySelector("h2")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  draw() {
    const { title, accounts } = this.state;
    const name = title || "";
    if (document.activeElement !== this.title) this.title.value = name;
    document.title = `${name || "Without a title"} · Tatian`;
    fill(this.tabs[0], accounts.length ? `Sources (${accounts.length})` : "Sources");
    this.downloads.disabled = !this.consolidation;
    this.sourceList.draw();
    this.reading.draw();
    this.reading.text.refocus();
    this.draft.draw();
    this.drawProgress();
  }

  formats() {
    const order = ({ format }) => ORDER.indexOf(format) + 1 || ORDER.length + 1;
    const forms = [...this.state.exports].sort((one, other) => order(one) - order(other));
    const items = forms.map(({ format, label, ending }) => ({
      label,
      hint: ending,
      href: this.server.exportAddress(this.id, format),
      download: "",
    }));
    return { label: "Download as", items };
  }

  // Changes are sent one after the other. A predicted result is shown at once, and replaced by the
  // server's answer.

  act(call, message, after, prediction = null, action = {}) {
    if (prediction) {
      this.predicted = prediction;
      this.reading.drawText(prediction);
      after ? after() : this.reading.text.refocus();
      this.announce(message);
    }
    this.pending += 1;
    const retryAction = () => this.act(call, message, after, null, action);
    return this.enqueue({ ...action, retryAction }, async () => {
      const consolidation = await call().finally(() => (this.pending -= 1));
      this.update(consolidation);
      if (this.pending) return;
      after && !prediction ? after() : this.reading.text.refocus();
      if (!prediction) this.announce(message);
    });
  }

  // The sentences that are shown.
  get sentences() {
    return this.predicted || this.consolidation.sentences;
  }

  // Number of decisions in force.
  get done() {
    return this.consolidation.decisions.filter(({ undone }) => !undone).length;
  }

  // Show a text; unchanged documents, sentences (except their ids) and outcomes are not in the answer.
  update(consolidation) {
    const before = this.consolidation;
    const known = new Map(before?.sentences.map((view) => [view.id, view]));
    const sentences = consolidation.sentences.map((view) => (typeof view === "string" ? known.get(view) : view));
    const fates = Object.entries(consolidation.fates).map(([id, list]) => [id, list || before.fates[id]]);
    const documents = consolidation.documents || before?.documents;
    this.consolidation = { ...consolidation, documents, sentences, fates: Object.fromEntries(fates) };
    this.texts.set(this.done, sentences);
    if (this.pending) return; // Only the answer to the last change is drawn.
    this.predicted = null;
    this.reading.draw();
    this.sourceList.drawState();
  }

  // Load the project. Events that arrive meanwhile are newer than the loaded state.
  async reopen() {
    this.opening = true;
    this.newerRun = null;
    try {
      this.state = await this.server.open(this.id);
      this.consolidation = this.state.woven;
    } finally {
      this.opening = false;
    }
    this.predicted = null;
    this.texts.clear();
    if (this.consolidation) this.texts.set(this.done, this.sentences);
    if (this.newerRun) this.updateRun(this.newerRun);
  }

  change(call, message) {
    return this.enqueue({ retryAction: () => this.change(call, message) }, async () => {
      await call();
      await this.reopen();
      this.draw();
      this.announce(message);
    });
  }

  // Load the project again, without an action of a person.
  refresh() {
    return this.enqueue(null, async () => {
      await this.reopen();
      this.draw();
    });
  }

  // `action`: {name, kind, done, retryAction} of a person, null if the page itself asks.
  enqueue(action, work) {
    const run = async () => {
      try {
        await work();
        if (!action) this.failures.forget((failure) => failure.action === null);
        return true;
      } catch (error) {
        this.showError(error, action);
        return false;
      }
    };
    this.queue = this.queue.then(run);
    return this.queue;
  }

  decide(decision, message, after) {
    const { prediction, ...sent } = decision;
    const call = () => this.server.decide(this.id, sent, this.consolidation.revision);
    for (const count of this.texts.keys()) if (count > this.done) this.texts.delete(count);
    const isPredictable = !this.pending || !UNPREDICTABLE_AFTER_OTHERS.has(decision.kind);
    const action = { name: ACTION_NAMES[decision.kind], kind: decision.kind, done: this.done };
    return this.act(call, message, after, isPredictable ? PREDICTIONS[decision.kind]?.(this.sentences, decision) : null, action);
  }

  undo() {
    const last = this.consolidation.decisions.findLast(({ undone }) => !undone);
    return this.undoOrRedo(-1, () => this.server.undo(this.id, this.consolidation.revision), "Undone", last);
  }

  redo() {
    const next = this.consolidation.decisions.find(({ undone }) => undone);
    return this.undoOrRedo(1, () => this.server.redo(this.id, this.consolidation.revision), "Redone", next);
  }

  // While another change is sent, the decision that this step will undo is not known.
  undoOrRedo(by, call, done, decision) {
    const message = this.pending || !decision ? `${done}.` : `${done}: ${decision.label}`;
    return this.act(call, message, null, this.pending ? null : this.texts.get(this.done + by), { name: by < 0 ? "undo" : "redo" });
  }

  // Show a message in the status line of the text, elsewhere only to screen readers.
  announce(text) {
    if (!text) return;
    if (this.place === "read" && this.consolidation) this.reading.status.announce(text);
    else fill(this.announcer, text);
  }

  // Revert a prediction and its message, and show the error.
  showError(error, action) {
    this.predicted = null;
    if (this.consolidation) {
      this.reading.draw();
      this.reading.status.retract();
    }
    this.failures.add(error, action);
  }

  // Retry failed actions in order, except those that the server has done.
  async retry(failures) {
    const isDone = ({ kind, done }) => kind && this.done > done && this.consolidation.decisions[done]?.kind === kind;
    if (!(await this.refresh())) return false;
    for (const { action } of failures) if (action && !isDone(action)) await action.retryAction();
    return true;
  }

  onKey(event) {
    if (isComposing(event) || document.querySelector("dialog[open]")) return;
    const field = event.target.closest?.("input:not([type=range]), textarea");
    if (!(event.ctrlKey || event.metaKey) || event.altKey || field || !this.consolidation) return;
    const name = event.key.toLowerCase();
    if (name === "z") event.shiftKey ? this.redo() : this.undo();
    else if (name === "y") this.redo();
    else return;
    event.preventDefault();
  }

  // Consolidation

  // If sources were only added, an edited text is kept and extended, unless `anew`.
  consolidate(anew = false) {
    return this.change(() => this.server.consolidate(this.id, anew), "Consolidation has begun.");
  }

  get running() {
    return RUNNING.has(this.state.weaving.state);
  }

  drawProgress() {
    const { stage, done, of, state, place } = this.state.weaving;
    this.progress.hidden = !this.running;
    if (!this.running) {
      fill(this.progress);
      return;
    }
    if (!this.progress.firstChild) {
      this.bar = h("progress", { max: 1, "aria-label": "Consolidating" });
      this.stage = h("p", { role: "status" });
      const cancel = () => this.change(() => this.server.cancel(this.id), "Cancelled.");
      fill(this.progress, this.stage, this.bar, button("Cancel", cancel));
    }
    if (of) this.bar.value = done / of;
    else this.bar.removeAttribute("value");
    const waiting = place ? `Waiting: place ${place} in the queue` : "Getting ready";
    const words = state === "waiting" ? waiting : stage || `consolidating ${count(this.state.accounts.length, "source")}`;
    const line = sentence(`${words} …`);
    if (this.stage.textContent !== line) fill(this.stage, line);
  }

  follow() {
    this.server.follow(this.id, {
      weaving: (run) => this.updateRun(run),
      woven: ({ revision }) => this.enqueue(null, () => this.fetchText(revision)),
      accounts: () => this.refresh(),
      wordings: ({ sentence }) => this.reading.sentences.refreshWordings(sentence),
      check: ({ check }) => this.draft.refresh(check),
      deleted: () => location.assign("/desk"),
    });
  }

  // The first text is loaded when its consolidation ends, see updateRun.
  async fetchText(revision) {
    if (!this.consolidation || revision <= this.consolidation.revision) return;
    const consolidation = await this.server.text(this.id, this.consolidation.revision);
    if (consolidation.documents) this.texts.clear();
    this.update(consolidation);
    this.reading.text.refocus();
  }

  async updateRun(run) {
    if (this.opening) {
      this.newerRun = run;
      return;
    }
    const wasRunning = this.running;
    this.state.weaving = run;
    this.drawProgress();
    this.sourceList.drawState();
    this.reading.drawState();
    if (!wasRunning || this.running) return;
    const oldSentences = this.consolidation?.sentences;
    await this.refresh();
    if (run.state === "idle") {
      const changed = oldSentences ? changes(oldSentences, this.sentences) : "";
      this.announce(`The text is ready${changed && `: ${changed}`}.`);
      if (this.place === "put-in") this.go("read");
    }
  }
}
