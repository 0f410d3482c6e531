// One project: its state, what changes it, the parts of its page.
//
//   project.state       as the server has it: {title, accounts, weaving, woven, exports}
//   project.decide(decision, said, after)   `said` is shown and read out when it is done
//   project.act(call, said, after)          the same for any call that answers the new text
//   project.change(call, said)  change sources or title, then load everything again
//   project.server, .id, .say(text), .go(place)

import { button, composing, fill, h } from "../core/dom.js";
import { closeMenu, menuButton } from "../core/menu.js";
import { Accounts } from "./accounts.js";
import { Draft } from "./draft.js";
import { DOING, Failures } from "./failures.js";
import { ANSWERED, FORESEEN } from "./foreseen.js";
import { ModelsLine } from "./models.js";
import { Reading } from "./reading.js";
import { changes, count, sentence } from "./wording.js";

const ORDER = ["docx", "html", "md", "text", "tei", "json"]; // Then whatever else there is.
const RUNNING = new Set(["waiting", "running"]);
const PLACES = [
  ["put-in", "Sources"],
  ["read", "Text"],
  ["check", "Check a draft"],
];

export class Project {
  constructor(root, server, id) {
    this.root = root;
    this.server = server;
    this.id = id;
    this.line = Promise.resolve();
    this.acting = 0;
    this.state = null;
    this.ahead = null;
    this.texts = new Map();
    this.failures = new Failures((some) => this.retry(some));
  }

  async start() {
    try {
      await this.reopen();
    } catch (error) {
      fill(this.root, h("h1", {}, "This project cannot be opened"), h("p", {}, sentence(error.message)), h("p", {}, h("a", { href: "/desk" }, "To your projects")));
      return;
    }
    this.models = new ModelsLine(this.server);
    this.accounts = new Accounts(this);
    this.reading = new Reading(this);
    this.draft = new Draft(this);
    this.places = { "put-in": this.accounts.node, read: this.reading.node, check: this.draft.node };
    this.frame();
    addEventListener("hashchange", () => this.show());
    addEventListener("keydown", (event) => this.key(event));
    this.draw();
    this.accounts.recall();
    this.show({ first: true });
    this.follow();
  }

  frame() {
    this.title = h("input", { class: "project-title", "aria-label": "Title of the project", dir: "auto", autocomplete: "off", placeholder: "Without a title" });
    this.title.addEventListener("change", () => {
      const title = this.title.value.trim();
      this.change(() => this.server.rename(this.id, title), "Saved.");
    });
    this.tabs = PLACES.map(([place, label]) => h("a", { href: `#${place}` }, label));
    this.out = menuButton("Download ▾", () => this.formats(), { class: "out" });
    this.live = h("p", { class: "unseen", role: "status" });
    this.progress = h("div", { class: "weaving", hidden: true });
    fill(
      this.root,
      h("header", { class: "project-head" }, h("h1", {}, this.title)),
      h(
        "div",
        { class: "project-bar" },
        h("nav", { class: "tabs", "aria-label": "Project" }, this.tabs),
        h("div", { class: "stays" }, this.reading.bar, this.out),
      ),
      this.failures.node,
      this.progress,
      this.live,
      ...Object.values(this.places),
    );
  }

  // What is shown

  get asked() {
    const asked = location.hash.slice(1);
    if (this.places[asked]) return asked;
    return this.state.woven ? "read" : "put-in";
  }

  go(place) {
    if (location.hash.slice(1) === place) this.show();
    else location.hash = place;
  }

  show({ first = false } = {}) {
    closeMenu({ focus: false });
    const place = this.asked;
    this.place = place;
    PLACES.forEach(([name], at) => {
      this.places[name].hidden = name !== place;
      if (name === place) this.tabs[at].setAttribute("aria-current", "page");
      else this.tabs[at].removeAttribute("aria-current");
    });
    document.documentElement.dataset.place = place;
    this.reading.shown(place === "read");
    if (!first) this.places[place].querySelector("h2")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  draw() {
    const { title, accounts, woven } = this.state;
    const name = title || "";
    if (document.activeElement !== this.title) this.title.value = name;
    document.title = `${name || "Without a title"} · Tatian`;
    fill(this.tabs[0], accounts.length ? `Sources (${accounts.length})` : "Sources");
    this.out.disabled = !woven;
    this.accounts.draw();
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

  // What changes it. One after the other, so that answers come in the order of the questions. Where
  // it is known what will come of it, that is shown at once, and the answer only has to agree.

  act(call, said, after, foreseen = null, what = {}) {
    if (foreseen) {
      this.ahead = foreseen;
      this.reading.drawText(foreseen);
      after ? after() : this.reading.text.refocus();
      this.say(said);
    }
    this.acting += 1;
    const again = () => this.act(call, said, after, null, what);
    return this.enqueue({ ...what, again }, async () => {
      const woven = await call().finally(() => (this.acting -= 1));
      this.take(woven);
      if (this.acting) return;
      after && !foreseen ? after() : this.reading.text.refocus();
      if (!foreseen) this.say(said);
    });
  }

  // The sentences that are shown.
  get sentences() {
    return this.ahead || this.state.woven.sentences;
  }

  get done() {
    return this.state.woven.decisions.filter(({ undone }) => !undone).length;
  }

  // A text may leave out unchanged parts: documents, outcomes of a source, sentences (except ids).
  take(woven) {
    const before = this.state.woven;
    const known = new Map(before?.sentences.map((one) => [one.id, one]));
    const sentences = woven.sentences.map((one) => (typeof one === "string" ? known.get(one) : one));
    const fates = Object.entries(woven.fates).map(([id, list]) => [id, list || before.fates[id]]);
    const documents = woven.documents || before?.documents;
    this.state.woven = { ...woven, documents, sentences, fates: Object.fromEntries(fates) };
    this.texts.set(this.done, sentences);
    if (this.acting) return; // The answer to the last is drawn.
    this.ahead = null;
    this.reading.draw();
    this.accounts.drawState();
  }

  // Progress that is heard while the state is on its way is newer than the state.
  async reopen() {
    this.opening = true;
    this.missed = null;
    try {
      this.state = await this.server.open(this.id);
    } finally {
      this.opening = false;
    }
    this.ahead = null;
    this.texts.clear();
    if (this.state.woven) this.texts.set(this.done, this.sentences);
    if (this.missed) this.heard(this.missed);
  }

  change(call, said) {
    return this.enqueue({ again: () => this.change(call, said) }, async () => {
      await call();
      await this.reopen();
      this.draw();
      this.say(said);
    });
  }

  // What the page asks for by itself; nothing is lost if that fails.
  refresh() {
    return this.enqueue(null, async () => {
      await this.reopen();
      this.draw();
    });
  }

  // `doing`: the action of a person ({name, kind, done, again}), null for one of the page itself.
  enqueue(doing, work) {
    const run = async () => {
      try {
        await work();
        if (!doing) this.failures.forget((one) => one.doing === null);
        return true;
      } catch (error) {
        this.fail(error, doing);
        return false;
      }
    };
    this.line = this.line.then(run);
    return this.line;
  }

  decide(decision, said, after) {
    const { foreseen, ...made } = decision;
    const call = () => this.server.decide(this.id, made, this.state.woven.revision);
    for (const count of this.texts.keys()) if (count > this.done) this.texts.delete(count);
    const known = !this.acting || !ANSWERED.has(decision.kind);
    const what = { name: DOING[decision.kind], kind: decision.kind, done: this.done };
    return this.act(call, said, after, known ? FORESEEN[decision.kind]?.(this.sentences, decision) : null, what);
  }

  undo() {
    const last = this.state.woven.decisions.findLast(({ undone }) => !undone);
    return this.step(-1, () => this.server.undo(this.id, this.state.woven.revision), "Undone", last);
  }

  redo() {
    const next = this.state.woven.decisions.find(({ undone }) => undone);
    return this.step(1, () => this.server.redo(this.id, this.state.woven.revision), "Redone", next);
  }

  // While another change is under way, which one this will be is not known yet.
  step(by, call, done, decision) {
    const said = this.acting || !decision ? `${done}.` : `${done}: ${decision.label}`;
    return this.act(call, said, null, this.acting ? null : this.texts.get(this.done + by), { name: by < 0 ? "undo" : "redo" });
  }

  // Said where one looks and reads along: at the foot of the text, or unseen.
  say(text) {
    if (!text) return;
    if (this.place === "read" && this.state.woven) this.reading.foot.tell(text);
    else fill(this.live, text);
  }

  // Take back what was shown in advance, and its message.
  fail(error, doing) {
    this.ahead = null;
    if (this.state.woven) {
      this.reading.draw();
      this.reading.foot.hush();
    }
    this.failures.add(error, doing);
  }

  // Retry what failed, in order, except what the server has done anyway.
  async retry(failures) {
    const done = (one) => one?.kind && this.done > one.done && this.state.woven.decisions[one.done]?.kind === one.kind;
    if (!(await this.refresh())) return false;
    for (const { doing } of failures) if (doing && !done(doing)) await doing.again();
    return true;
  }

  key(event) {
    if (composing(event) || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest?.("input:not([type=range]), textarea");
    if (!(event.ctrlKey || event.metaKey) || event.altKey || typing || !this.state.woven) return;
    const name = event.key.toLowerCase();
    if (name === "z") event.shiftKey ? this.redo() : this.undo();
    else if (name === "y") this.redo();
    else return;
    event.preventDefault();
  }

  // Consolidation

  // If sources were only added, an edited text is kept and extended, unless `anew`.
  weave(anew = false) {
    return this.change(() => this.server.weave(this.id, anew), "Consolidation has begun.");
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
      weaving: (weaving) => this.heard(weaving),
      woven: ({ revision }) => this.enqueue(null, () => this.fetchText(revision)),
      accounts: () => this.refresh(),
      wordings: ({ sentence }) => this.reading.sentences.heard(sentence),
      check: ({ check }) => this.draft.heard(check),
      deleted: () => location.assign("/desk"),
    });
  }

  // The first text comes when consolidation ends.
  async fetchText(revision) {
    if (!this.state.woven || revision <= this.state.woven.revision) return;
    const woven = await this.server.woven(this.id, this.state.woven.revision);
    if (woven.documents) this.texts.clear();
    this.take(woven);
    this.reading.text.refocus();
  }

  async heard(weaving) {
    if (this.opening) {
      this.missed = weaving;
      return;
    }
    const before = this.running;
    this.state.weaving = weaving;
    this.drawProgress();
    this.accounts.drawState();
    this.reading.drawState();
    if (!before || this.running) return;
    const told = this.state.woven?.sentences;
    await this.refresh();
    if (weaving.state === "idle") {
      const changed = told ? changes(told, this.sentences) : "";
      this.say(`The text is ready${changed && `: ${changed}`}.`);
      if (this.place === "put-in") this.go("read");
    }
  }
}
