// History of states, which are JSON values, for undo and redo.
//
//   const history = new History(state)
//   history.record(state, kind)  after a change; changes of one kind (e.g. "typing") within a second
//                                of each other are one step, changes without a kind are not joined
//   history.undo() / .redo()     the state to restore, or null if there is none
//   history.canUndo / .canRedo

const JOIN_WITHIN = 1000; // Milliseconds.
const MOST_STEPS = 500;

export class History {
  constructor(state) {
    this.past = [];
    this.present = JSON.stringify(state);
    this.future = [];
    this.kind = null;
    this.changedAt = 0;
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  record(state, kind = null) {
    const next = JSON.stringify(state);
    if (next === this.present) return;
    const now = performance.now();
    const isJoined = kind !== null && kind === this.kind && now - this.changedAt < JOIN_WITHIN;
    if (!isJoined) this.past.push(this.present);
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.present = next;
    this.future = [];
    this.kind = kind;
    this.changedAt = now;
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return null;
    to.push(this.present);
    this.present = from.pop();
    this.kind = null;
    return JSON.parse(this.present);
  }
}
