// Ask the server for the remarks of the rules while a person works: a moment after the last change,
// one request at a time, when the browser is idle. Failures are ignored.
//
//   const checks = new Checks(context, {checks, phrases}, onadvice)
//     onadvice({notes, phrases, complete})   notes: Map from a mention's id to its remarks
//   checks.ask(answer)    sends answer() soon; only the last call counts      checks.stop()

import { Offline, Problem } from "../../core/api.js";
import { whenIdle } from "../../core/idle.js";

const DELAY = 800; // Milliseconds after the last change.
const RETRY = 15_000; // Milliseconds until the next try when the server cannot be reached.

export class Checks {
  constructor({ api, path }, { checks, phrases }, onadvice) {
    Object.assign(this, { api, onadvice });
    this.path = `${path}/check`;
    this.isEnabled = Boolean(api) && (checks || phrases);
    this.rules = checks;
    this.phrases = phrases;
    this.pending = null;
    this.isSending = false;
  }

  ask(answer) {
    if (!this.isEnabled || !(this.rules || this.phrases)) return;
    this.pending = answer;
    this.schedule(DELAY);
  }

  schedule(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => whenIdle(() => this.send()), delay);
  }

  async send() {
    if (this.isSending || !this.pending || this.stopped) return;
    const answer = this.pending;
    let delay = DELAY;
    this.pending = null;
    this.isSending = true;
    try {
      const body = { answer: answer(), phrases: this.phrases };
      this.receive(await this.api.send("POST", this.path, body));
    } catch (error) {
      if (error instanceof Problem) this.isEnabled = false;
      else if (error instanceof Offline) {
        this.pending ??= answer;
        delay = RETRY;
      } else throw error;
    } finally {
      this.isSending = false;
    }
    if (this.pending && this.isEnabled) this.schedule(delay);
  }

  receive({ notes, phrases, complete }) {
    if (this.stopped) return;
    if (phrases) this.phrases = false;
    const byMention = new Map();
    for (const note of notes) {
      if (!byMention.has(note.markable)) byMention.set(note.markable, []);
      byMention.get(note.markable).push(note);
    }
    this.onadvice({ notes: byMention, phrases, complete });
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
