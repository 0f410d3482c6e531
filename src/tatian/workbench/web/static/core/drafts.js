// Drafts of answers, which survive a reload, a lost connection and a change of device.
//
// Each change is stored in the browser at once, and on the server a second later. On load, the
// browser's draft is used if it has unsaved changes. If the server's draft has changed too, saving
// fails and the annotator is asked.
//
//   const drafts = new Drafts(api, campaign, item, {onstate, onconflict})
//     onstate(state)        state is "saved", "saving", "offline", "refused" or "undecided"
//     onconflict(storedState, submitting)   the item was changed in another window; returns a promise
//                           of "stored", "local", or null to ask again at the next change
//     onanswered(message)   the item was answered in another window
//     onended(message)      the assignment has ended
//   drafts.load()           the initial state, or null
//   drafts.save(state)      after every change
//   drafts.pause(true)      save nothing while an answer is sent
//   drafts.stop()           save nothing from now on
//   drafts.forget()         delete the draft in the browser, after submitting or giving back
//   drafts.settle(draft, revision, submitting)   resolve a conflict with the stored draft; a promise
//                           of "local", "stored", or null if undecided
//   drafts.request          a promise for the end of the request that is being sent
//   drafts.seconds          total time spent on the item, in seconds
//   drafts.secondsElsewhere   part of it in other windows since the draft was loaded
//   storeUnsent(campaign, item, {state, seconds, revision})   store a draft in the browser
//   forgetDraft(campaign, item)   delete it
//
// On the server a draft is {state, seconds}, so that the time adds up across devices.
//
//   new Outbox(campaign)    submissions that the server has not confirmed yet
//     .put(submission) .get() .clear()    {path, item, body: {nonce, answer, seconds ...}}
//     .drop(item)           clears it if it is for this item
//   isEnded(error)          whether the server accepts no more answers to an item

import { Offline, Problem } from "./api.js";
import { read, remove, write } from "./storage.js";

const DELAY = 1000; // Milliseconds between a change and saving it.
const RETRY = 5000; // Milliseconds until the next try when the server cannot be reached.
const UNCONFIRMED = 20; // Drafts sent without an answer that are remembered.
const ENDED = [404, 410];

function storageKey(campaign, item) {
  return `tatian:draft:${campaign}:${item.assignment}`;
}

export function storeUnsent(campaign, item, { state, seconds, revision }) {
  const draft = { state, seconds, synced: seconds, revision, dirty: true, unconfirmed: [] };
  write(storageKey(campaign, item), draft);
}

export function forgetDraft(campaign, item) {
  remove(storageKey(campaign, item));
}

// Errors without a code come from a proxy, not from the server.
export function isEnded(error) {
  return ENDED.includes(error.status) && Boolean(error.code);
}

function parseDraft(draft) {
  const hasTime = Number.isFinite(draft?.seconds) && draft.state !== undefined;
  return hasTime ? draft : { state: draft ?? null, seconds: 0 };
}

export class Drafts {
  constructor(api, campaign, item, { onstate, onconflict, onanswered = () => {}, onended = () => {} }) {
    const stored = parseDraft(item.draft);
    this.api = api;
    this.path = `/api/v1/work/${encodeURIComponent(campaign)}/${item.assignment}/draft`;
    this.key = storageKey(campaign, item);
    this.storedState = stored.state;
    this.revision = item.revision || 0;
    this.onstate = onstate;
    this.onconflict = onconflict;
    this.onanswered = onanswered;
    this.onended = onended;
    this.state = null;
    this.seconds = stored.seconds;
    this.synced = stored.seconds;
    this.secondsElsewhere = 0;
    this.request = null;
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
    this.state = this.dirty ? local.state : this.storedState;
    if (this.dirty) {
      this.unconfirmed = local.unconfirmed || [];
      if (this.unconfirmed.includes(JSON.stringify(this.storedState))) this.confirmReceived(local);
      else this.revision = local.revision;
      if (this.dirty) this.schedule(0);
    }
    return this.state;
  }

  // The server has received the draft, but the page was closed before the response.
  confirmReceived({ state, seconds }) {
    this.unconfirmed = [];
    this.seconds = Math.max(this.synced, Number(seconds) || 0);
    this.dirty = JSON.stringify(state) !== JSON.stringify(this.storedState);
    this.store();
  }

  save(state) {
    if (this.closed) return;
    this.state = state;
    this.dirty = true;
    this.store();
    this.onstate("saving");
    this.schedule(DELAY);
  }

  store() {
    const { state, revision, dirty, seconds, synced, unconfirmed } = this;
    write(this.key, { state, revision, dirty, seconds, synced, unconfirmed });
  }

  schedule(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), delay);
  }

  send() {
    if (this.closed || this.paused || this.sending || !this.dirty) return;
    this.sending = true;
    this.request = this.upload();
  }

  async upload() {
    const { state, seconds } = this;
    this.unconfirmed = [...this.unconfirmed, JSON.stringify(state)].slice(-UNCONFIRMED);
    this.store();
    try {
      const body = { revision: this.revision, draft: { state, seconds } };
      const answer = await this.api.send("PUT", this.path, body);
      if (this.closed) return;
      this.revision = answer.revision;
      this.synced = seconds;
      this.unconfirmed = [];
      this.dirty = this.state !== state;
      this.store();
      this.onstate(this.dirty ? "saving" : "saved");
      if (this.dirty) this.schedule(DELAY);
    } catch (error) {
      if (!this.closed) await this.handleError(error);
    } finally {
      this.sending = false;
    }
  }

  async handleError(error) {
    if (error instanceof Offline) {
      this.onstate("offline");
      this.schedule(RETRY);
    } else if (error.status === 409 && Number.isInteger(error.body?.revision)) {
      await this.settle(error.body.draft ?? null, error.body.revision);
    } else if (error instanceof Problem) {
      this.onstate("refused");
      if (this.paused) return;
      if (error.status === 409) await this.onanswered(error.message);
      else if (isEnded(error)) this.onended(error.message);
    } else {
      throw error;
    }
  }

  // The stored draft may be from this page if the response was lost; otherwise the annotator decides.
  // Nothing is stored before that, so that a reload asks again.
  async settle(draft, revision, submitting = false) {
    const storedDraft = parseDraft(draft);
    const storedJson = JSON.stringify(storedDraft.state);
    const isOwn = revision === this.revision || this.unconfirmed.includes(storedJson);
    const isSame = storedJson === JSON.stringify(this.state);
    const chosen = isSame || isOwn ? "local" : await this.onconflict(storedDraft.state, submitting);
    if (chosen === null) {
      this.onstate("undecided");
      return null;
    }
    if (!isOwn) this.addElsewhere(storedDraft.seconds - this.synced);
    this.synced = storedDraft.seconds;
    if (chosen === "stored") this.state = storedDraft.state;
    this.revision = revision;
    this.unconfirmed = [];
    this.dirty = chosen === "local" && !isSame;
    this.store();
    if (this.dirty) this.schedule(0);
    else this.onstate("saved");
    return chosen;
  }

  addElsewhere(seconds) {
    const more = Math.max(0, seconds);
    this.secondsElsewhere += more;
    this.seconds += more;
  }

  pause(paused) {
    this.paused = paused;
    if (!paused) this.schedule(0);
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
