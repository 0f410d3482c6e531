// Work in progress that survives a reload, a lost connection and a change of device.
//
// Each change is written to this browser at once and to the server a second later. On load this
// browser's is taken where it has changes that the server has not seen; if the server's has changed
// too, saving it fails and the annotator is asked.
//
//   const drafts = new Drafts(api, campaign, item, {onstate, onconflict})
//     onstate(state)        "saved", "saving" or "offline": for a line that the annotator sees
//     onconflict(theirs, submitting)   the item was changed in another window: a promise of "theirs",
//                           "mine" or null, undecided: then it is asked again at the next change
//     answered(message)     the item was answered elsewhere
//     gone(message)         it is no longer this annotator's, or its time is over
//   drafts.load()           the state to begin with, or null
//   drafts.save(state)      after every change
//   drafts.pause(true)      while an answer is being sent, which makes the draft superfluous
//   drafts.stop()           nothing is saved any more; what this browser has stays
//   drafts.forget()         when it was submitted or given back
//   drafts.settle(draft, revision, submitting)   another draft is stored: "mine" (or the same) or
//                           "theirs" is what one goes on with; null: undecided
//   drafts.flight           a promise that the draft on its way has arrived or not
//   drafts.seconds          time at work on this item, here and elsewhere, kept with the draft
//   drafts.elsewhere        of these, what other windows and devices added since it was loaded
//   keepUnsent(campaign, item, {state, seconds, revision})   as if it had been typed here
//   forgetDraft(campaign, item)   what this browser has of an item that is not shown
//
// On the server a draft is {state, seconds}, so that the time adds up across devices.
//
//   new Outbox(campaign)    submissions that the server has not confirmed yet
//     .put(submission) .get() .clear()    {path, item, body: {nonce, answer, seconds ...}}
//     .drop(item)           clears it where it is of this item, which was changed since
//   isGone(error)           whether the server accepts nothing more for an item

import { Offline, Problem } from "./api.js";
import { read, remove, write } from "./storage.js";

const DELAY = 1000;
const RETRY = 5000;
const UNCONFIRMED = 20;
const GONE = [404, 410];

function keyOf(campaign, item) {
  return `tatian:draft:${campaign}:${item.assignment}`;
}

export function keepUnsent(campaign, item, { state, seconds, revision }) {
  const kept = { state, seconds, synced: seconds, revision, dirty: true, unconfirmed: [] };
  write(keyOf(campaign, item), kept);
}

export function forgetDraft(campaign, item) {
  remove(keyOf(campaign, item));
}

// The server's own word on an item, not that of something between it and this page.
export function isGone(error) {
  return GONE.includes(error.status) && Boolean(error.code);
}

function opened(draft) {
  const timed = Number.isFinite(draft?.seconds) && draft.state !== undefined;
  return timed ? draft : { state: draft ?? null, seconds: 0 };
}

export class Drafts {
  constructor(api, campaign, item, { onstate, onconflict, answered = () => {}, gone = () => {} }) {
    const stored = opened(item.draft);
    this.api = api;
    this.path = `/api/v1/work/${encodeURIComponent(campaign)}/${item.assignment}/draft`;
    this.key = keyOf(campaign, item);
    this.server = stored.state;
    this.revision = item.revision || 0;
    this.onstate = onstate;
    this.onconflict = onconflict;
    this.answered = answered;
    this.gone = gone;
    this.state = null;
    this.seconds = stored.seconds;
    this.synced = stored.seconds;
    this.elsewhere = 0;
    this.flight = null;
    this.dirty = false;
    this.unconfirmed = [];
    this.timer = null;
    this.sending = false;
    this.paused = false;
    this.closed = false;
  }

  load() {
    const local = read(this.key);
    this.seconds += Math.max(0, (Number(local?.seconds) || 0) - (Number(local?.synced) || 0));
    this.dirty = local?.dirty === true;
    this.state = this.dirty ? local.state : this.server;
    if (this.dirty) {
      this.unconfirmed = local.unconfirmed || [];
      if (this.unconfirmed.includes(JSON.stringify(this.server))) this.arrived(local);
      else this.revision = local.revision;
      if (this.dirty) this.later(0);
    }
    return this.state;
  }

  // The page was left before it heard that its draft is stored.
  arrived({ state, seconds }) {
    this.unconfirmed = [];
    this.seconds = Math.max(this.synced, Number(seconds) || 0);
    this.dirty = JSON.stringify(state) !== JSON.stringify(this.server);
    this.keep();
  }

  save(state) {
    if (this.closed) return;
    this.state = state;
    this.dirty = true;
    this.keep();
    this.onstate("saving");
    this.later(DELAY);
  }

  keep() {
    const { state, revision, dirty, seconds, synced, unconfirmed } = this;
    write(this.key, { state, revision, dirty, seconds, synced, unconfirmed });
  }

  later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), delay);
  }

  send() {
    if (this.closed || this.paused || this.sending || !this.dirty) return;
    this.sending = true;
    this.flight = this.put();
  }

  async put() {
    const { state, seconds } = this;
    this.unconfirmed = [...this.unconfirmed, JSON.stringify(state)].slice(-UNCONFIRMED);
    this.keep();
    try {
      const body = { revision: this.revision, draft: { state, seconds } };
      const answer = await this.api.send("PUT", this.path, body);
      if (this.closed) return;
      this.revision = answer.revision;
      this.synced = seconds;
      this.unconfirmed = [];
      this.dirty = this.state !== state;
      this.keep();
      this.onstate(this.dirty ? "saving" : "saved");
      if (this.dirty) this.later(DELAY);
    } catch (error) {
      if (!this.closed) await this.failed(error);
    } finally {
      this.sending = false;
    }
  }

  async failed(error) {
    if (error instanceof Offline) {
      this.onstate("offline");
      this.later(RETRY);
    } else if (error.status === 409 && Number.isInteger(error.body?.revision)) {
      await this.settle(error.body.draft ?? null, error.body.revision);
    } else if (error instanceof Problem) {
      this.onstate("refused");
      if (this.paused) return;
      if (error.status === 409) await this.answered(error.message);
      else if (isGone(error)) this.gone(error.message);
    } else {
      throw error;
    }
  }

  // What is stored may be our own, whose confirmation was lost; otherwise the annotator decides.
  // Until then nothing is kept, so that a reload in between asks again.
  async settle(draft, revision, submitting = false) {
    const theirs = opened(draft);
    const stored = JSON.stringify(theirs.state);
    const ours = revision === this.revision || this.unconfirmed.includes(stored);
    const same = stored === JSON.stringify(this.state);
    const chosen = same || ours ? "mine" : await this.onconflict(theirs.state, submitting);
    if (chosen === null) {
      this.onstate("undecided");
      return null;
    }
    if (!ours) this.add(theirs.seconds - this.synced);
    this.synced = theirs.seconds;
    if (chosen === "theirs") this.state = theirs.state;
    this.revision = revision;
    this.unconfirmed = [];
    this.dirty = chosen === "mine" && !same;
    this.keep();
    if (this.dirty) this.later(0);
    else this.onstate("saved");
    return chosen;
  }

  add(seconds) {
    const more = Math.max(0, seconds);
    this.elsewhere += more;
    this.seconds += more;
  }

  pause(paused) {
    this.paused = paused;
    if (!paused) this.later(0);
  }

  stop() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  forget() {
    this.stop();
    remove(this.key);
  }
}

export class Outbox {
  constructor(campaign) {
    this.key = `tatian:outbox:${campaign}`;
  }

  put(submission) {
    write(this.key, submission);
  }

  get() {
    return read(this.key);
  }

  clear() {
    remove(this.key);
  }

  drop({ assignment }) {
    if (this.get()?.item?.assignment === assignment) this.clear();
  }
}
