// Work that is done when the browser is idle.
//
//   idle(work)            calls work() then, within half a second in any case
//   new Slices(take)      many small pieces of work, done in the pauses between frames
//     .add(pieces)        take(piece) is called once for each, soon; pieces already waiting are one
//     .now(piece)         at once, whether it was waiting or not

const LATEST = 500;
const SLICE = 6;
const wait = globalThis.requestIdleCallback
  ? (work) => requestIdleCallback(work, { timeout: LATEST })
  : (work) => setTimeout(work, 1);

export function idle(work) {
  wait(() => work());
}

export class Slices {
  constructor(take) {
    this.take = take;
    this.waiting = new Set();
    this.asked = false;
  }

  add(pieces) {
    for (const piece of pieces) this.waiting.add(piece);
    this.ask();
  }

  now(piece) {
    this.waiting.delete(piece);
    this.take(piece);
  }

  ask() {
    if (this.asked || !this.waiting.size) return;
    this.asked = true;
    idle(() => this.some());
  }

  some() {
    const until = performance.now() + SLICE;
    for (const piece of this.waiting) {
      this.now(piece);
      if (performance.now() > until) break;
    }
    this.asked = false;
    this.ask();
  }
}
