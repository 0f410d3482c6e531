// History of states, each a JSON value, for undo and redo.
//
//   const history = new History(state)
//   history.note(state, kind)  after a change. Changes of one kind (e.g. "typing") that follow each
//                              other within a second are one step; without a kind each is one
//   history.undo() / .redo()   the state to restore, or null where there is none
//   history.canUndo / .canRedo

const TOGETHER = 1000;
const MOST = 500;

export class History {
  constructor(state) {
    this.past = [];
    this.present = JSON.stringify(state);
    this.future = [];
    this.kind = null;
    this.at = 0;
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  note(state, kind = null) {
    const next = JSON.stringify(state);
    if (next === this.present) return;
    const now = performance.now();
    const joined = kind !== null && kind === this.kind && now - this.at < TOGETHER;
    if (!joined) this.past.push(this.present);
    if (this.past.length > MOST) this.past.shift();
    this.present = next;
    this.future = [];
    this.kind = kind;
    this.at = now;
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
