// Drafts of answers, which survive a reload, a lost connection and a change of device.
//
// Each change is stored in the browser at once, and on the server a second later. On load, the
// browser's draft is used if it has unsaved changes. If the server's draft has changed too, saving
// fails and the annotator is asked.
//
//   const drafts = new Drafts(api, campaign, item, {onstate, onconflict})
//     onstate(state)        state is "saved", "saving", "offline", "refused" or "undecided"
//     onconflict(theirs, submitting)   the item was changed in another window; returns a promise of
//                           "theirs", "mine", or null to ask again at the next change
//     answered(message)     the item was answered in another window
//     gone(message)         the assignment has ended
//   drafts.load()           the initial state, or null
//   drafts.save(state)      after every change
//   drafts.pause(true)      save nothing while an answer is sent
//   drafts.stop()           save nothing from now on
//   drafts.forget()         delete the draft in the browser, after submitting or giving back
//   drafts.settle(draft, revision, submitting)   another draft is stored; a promise of "mine",
//                           "theirs", or null if undecided
//   drafts.flight           a promise for the end of the request that is being sent
//   drafts.seconds          total time spent on the item, in seconds
//   drafts.elsewhere        part of it in other windows since the draft was loaded
//   keepUnsent(campaign, item, {state, seconds, revision})   store a draft in the browser
//   forgetDraft(campaign, item)   delete it
//
// On the server a draft is {state, seconds}, so that the time adds up across devices.
//
//   new Outbox(campaign)    submissions that the server has not confirmed yet
//     .put(submission) .get() .clear()    {path, item, body: {nonce, answer, seconds ...}}
//     .drop(item)           clears it if it is for this item
//   isGone(error)           whether the server accepts no more answers to an item

import { Offline, Problem } from "./api.js";
import { read, remove, write } from "./storage.js";

const DELAY = 1000; // Milliseconds between a change and saving it.
const RETRY = 5000; // Milliseconds until the next try when the server cannot be reached.
const UNCONFIRMED = 20; // Drafts sent without an answer that are remembered.
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

// Errors without a code come from a proxy, not from the server.
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

  // The server has the draft, but the page was left before the answer.
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

  // The stored draft may be our own, if the answer was lost; otherwise the annotator decides. Until
  // then nothing is stored, so that a reload asks again.
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
