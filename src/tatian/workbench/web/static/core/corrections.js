// Corrections of earlier answers. An unfinished one is stored in the browser until it is sent or
// dropped, and offered again after a reload.
//
//   const corrections = new Corrections(shell)
//   corrections.choose()            asks which of one's answers, then shows it
//   corrections.offer()             after an item is shown: those that were begun and not sent
//   corrections.begin(item)         shows an answered item, with what is kept of its correction
//   corrections.keep(item, state, seconds)   as if its correction had been begun here
//   corrections.sent(submission)    forgets what is kept of it

import { ask, button, h } from "./dom.js";
import * as screens from "./screens.js";
import * as storage from "./storage.js";

const CORRECTING = "You are correcting an earlier answer; the first one is kept as well.";
const OVERTAKEN =
  "This answer was corrected elsewhere since you began. Here is what you had begun: submitting it " +
  "replaces that correction.";

export class Corrections {
  constructor(shell) {
    this.shell = shell;
    this.prefix = `tatian:correction:${shell.campaign}:`;
  }

  async choose() {
    if (this.shell.busy) return;
    const mine = await this.mine();
    if (!mine || this.shell.busy) return;
    const chosen = await ask(screens.answers(mine));
    if (chosen) await this.open(chosen);
  }

  mine() {
    return this.shell.attempt(() => this.shell.api.get(`${this.shell.path}/mine`));
  }

  async open(assignment) {
    const { shell } = this;
    if (shell.busy) return;
    const item = await shell.attempt(() => shell.api.get(`${shell.path}/${assignment}`));
    if (!item || shell.busy) return;
    const changed = await shell.attempt(() => shell.instructions.renew(item.guideline));
    if (changed === null || shell.busy) return;
    this.begin(item);
    if (changed) shell.instructed();
  }

  begin(item) {
    const { shell } = this;
    const drafts = new Correction(this.key(item.assignment, item.answer_id), shell.frame);
    const overtaken = this.overtaken(item.assignment, drafts);
    shell.correct(item, drafts, drafts.load() ?? shell.task.stateOf(item.answer, item.content));
    shell.frame.note(CORRECTING);
    if (overtaken) shell.frame.alarm(h("p", {}, OVERTAKEN));
    shell.frame.note(button("Leave it as it was", () => {
      drafts.forget();
      shell.next();
    }));
  }

  // An unfinished correction of an earlier answer continues as a correction of this one.
  overtaken(assignment, drafts) {
    const earlier = this.kept().filter((one) =>
      one.assignment === assignment && one.key !== drafts.key);
    for (const { key } of earlier) {
      const kept = storage.read(key);
      if (kept && !storage.read(drafts.key)) storage.write(drafts.key, kept);
      storage.remove(key);
    }
    return earlier.length > 0;
  }

  // Only this annotator's: others may have used this browser.
  async offer() {
    const kept = this.kept();
    if (!kept.length) return;
    const { shell } = this;
    const { page } = shell;
    const mine = (await this.mine()) || [];
    if (shell.page !== page) return;
    for (const { key, assignment } of kept) {
      const own = mine.find((each) => each.assignment === assignment);
      if (!own?.correctable) continue;
      const note = shell.frame.note([
        `You had begun to correct your answer to “${screens.named(own)}”. `,
        button("Go on with the correction", () => this.open(assignment)),
        button("Drop it", () => {
          storage.remove(key);
          note.remove();
        }),
      ]);
    }
  }

  keep(item, state, seconds) {
    storage.write(this.key(item.assignment, item.answer_id), { state, seconds });
  }

  sent({ item, body }) {
    if (body.replaces) storage.remove(this.key(item.assignment, body.replaces));
  }

  key(assignment, answer) {
    return `${this.prefix}${assignment}:${answer}`;
  }

  kept() {
    return storage.keys(this.prefix).map((key) => ({
      key,
      assignment: Number.parseInt(key.slice(this.prefix.length), 10),
    }));
  }
}

// A draft that is not sent to the server: it has the first answer until the correction is sent.
class Correction {
  constructor(key, frame) {
    this.key = key;
    this.frame = frame;
    this.state = null;
    this.seconds = 0;
    this.elsewhere = 0;
    this.closed = false;
  }

  load() {
    const kept = storage.read(this.key);
    this.state = kept?.state ?? null;
    this.seconds = Number(kept?.seconds) || 0;
    return this.state;
  }

  save(state) {
    if (this.closed) return;
    this.state = state;
    this.frame.saved(this.keep() ? "kept" : "");
  }

  keep() {
    return storage.write(this.key, { state: this.state, seconds: this.seconds });
  }

  pause() {}

  send() {}

  stop() {
    this.closed = true;
  }

  forget() {
    this.stop();
    storage.remove(this.key);
  }
}
