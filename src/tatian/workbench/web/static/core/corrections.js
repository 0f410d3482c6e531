// Corrections of earlier answers. Unfinished ones are stored in the browser until they are sent or
// dropped, and are offered again after a reload.
//
//   const corrections = new Corrections(shell)
//   corrections.choose()            asks for an answer to correct and opens it
//   corrections.offerUnsent()       offers unfinished corrections above an item
//   corrections.begin(item)         opens an answered item, with its unfinished correction if any
//   corrections.store(item, state, seconds)   stores an unfinished correction
//   corrections.forgetSent(submission)        deletes the correction that was sent

import { ask, button, h } from "./dom.js";
import * as screens from "./screens.js";
import * as storage from "./storage.js";

const CORRECTING = "You are correcting an earlier answer; the first one is kept as well.";
const CORRECTED_ELSEWHERE =
  "This answer was corrected elsewhere since you began. Here is what you had begun: submitting it " +
  "replaces that correction.";

export class Corrections {
  constructor(shell) {
    this.shell = shell;
    this.prefix = `tatian:correction:${shell.campaign}:`;
  }

  async choose() {
    if (this.shell.busy) return;
    const answers = await this.fetchAnswers();
    if (!answers || this.shell.busy) return;
    const chosen = await ask(screens.answersDialog(answers));
    if (chosen) await this.open(chosen);
  }

  fetchAnswers() {
    return this.shell.attempt(() => this.shell.api.get(`${this.shell.path}/mine`));
  }

  async open(assignment) {
    const { shell } = this;
    if (shell.busy) return;
    const item = await shell.attempt(() => shell.api.get(`${shell.path}/${assignment}`));
    if (!item || shell.busy) return;
    const changed = await shell.attempt(() => shell.instructions.update(item.guideline));
    if (changed === null || shell.busy) return;
    this.begin(item);
    if (changed) shell.announceInstructions();
  }

  begin(item) {
    const { shell } = this;
    const drafts = new CorrectionDraft(this.key(item.assignment, item.answer_id), shell.frame);
    const wasCorrected = this.takeOverEarlier(item.assignment, drafts);
    shell.correct(item, drafts, drafts.load() ?? shell.task.stateOf(item.answer, item.content));
    shell.frame.addNote(CORRECTING);
    if (wasCorrected) shell.frame.addAlert(h("p", {}, CORRECTED_ELSEWHERE));
    shell.frame.addNote(button("Leave it as it was", () => {
      drafts.forget();
      shell.next();
    }));
  }

  // An unfinished correction of an earlier answer continues as a correction of this one.
  takeOverEarlier(assignment, drafts) {
    const earlier = this.listStored().filter((record) =>
      record.assignment === assignment && record.key !== drafts.key);
    for (const { key } of earlier) {
      const stored = storage.read(key);
      if (stored && !storage.read(drafts.key)) storage.write(drafts.key, stored);
      storage.remove(key);
    }
    return earlier.length > 0;
  }

  // Other annotators may have used this browser: offer only this one's corrections.
  async offerUnsent() {
    const stored = this.listStored();
    if (!stored.length) return;
    const { shell } = this;
    const { page } = shell;
    const answers = (await this.fetchAnswers()) || [];
    if (shell.page !== page) return;
    for (const { key, assignment } of stored) {
      const answer = answers.find((answer) => answer.assignment === assignment);
      if (!answer?.correctable) continue;
      const note = shell.frame.addNote([
        `You had begun to correct your answer to “${screens.answerName(answer)}”. `,
        button("Go on with the correction", () => this.open(assignment)),
        button("Drop it", () => {
          storage.remove(key);
          note.remove();
        }),
      ]);
    }
  }

  store(item, state, seconds) {
    storage.write(this.key(item.assignment, item.answer_id), { state, seconds });
  }

  forgetSent({ item, body }) {
    if (body.replaces) storage.remove(this.key(item.assignment, body.replaces));
  }

  key(assignment, answer) {
    return `${this.prefix}${assignment}:${answer}`;
  }

  listStored() {
    return storage.keys(this.prefix).map((key) => ({
      key,
      assignment: Number.parseInt(key.slice(this.prefix.length), 10),
    }));
  }
}

// A draft in the browser alone; the server keeps the earlier answer until the correction is sent.
class CorrectionDraft {
  constructor(key, frame) {
    this.key = key;
    this.frame = frame;
    this.state = null;
    this.seconds = 0;
    this.secondsElsewhere = 0;
    this.closed = false;
  }

  load() {
    const stored = storage.read(this.key);
    this.state = stored?.state ?? null;
    this.seconds = Number(stored?.seconds) || 0;
    return this.state;
  }

  save(state) {
    if (this.closed) return;
    this.state = state;
    this.frame.saved(this.store() ? "kept" : "");
  }

  store() {
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
