// The definition's rules, asked while somebody works: a moment after the last change, one question
// at a time, put while the browser has nothing else to do, and without any trouble where the server
// does not answer.
//
//   const checks = new Checks(context, {checks, phrases}, told)
//     told({notes, phrases, complete})   notes: Map of a mention's id to what the rules say of it
//   checks.ask(answer)    later, by calling answer(); the last one counts      checks.stop()

import { Offline, Problem } from "../../core/api.js";
import { idle } from "../../core/idle.js";

const DELAY = 800;
const AGAIN = 15_000;

export class Checks {
  constructor({ api, path }, { checks, phrases }, told) {
    Object.assign(this, { api, told });
    this.path = `${path}/check`;
    this.wanted = Boolean(api) && (checks || phrases);
    this.rules = checks;
    this.phrases = phrases;
    this.pending = null;
    this.asking = false;
  }

  ask(answer) {
    if (!this.wanted || !(this.rules || this.phrases)) return;
    this.pending = answer;
    this.later(DELAY);
  }

  later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => idle(() => this.send()), delay);
  }

  async send() {
    if (this.asking || !this.pending || this.stopped) return;
    const asked = this.pending;
    let delay = DELAY;
    this.pending = null;
    this.asking = true;
    try {
      const body = { answer: asked(), phrases: this.phrases };
      this.take(await this.api.send("POST", this.path, body));
    } catch (error) {
      if (error instanceof Problem) this.wanted = false;
      else if (error instanceof Offline) {
        this.pending ??= asked;
        delay = AGAIN;
      } else throw error;
    } finally {
      this.asking = false;
    }
    if (this.pending && this.wanted) this.later(delay);
  }

  take({ notes, phrases, complete }) {
    if (this.stopped) return;
    if (phrases) this.phrases = false;
    const found = new Map();
    for (const note of notes) {
      if (!found.has(note.markable)) found.set(note.markable, []);
      found.get(note.markable).push(note);
    }
    this.told({ notes: found, phrases, complete });
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
