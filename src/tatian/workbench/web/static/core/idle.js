// Run work when the browser is idle.
//
//   whenIdle(work)            calls work(), at the latest after half a second
//   new IdleQueue(process)    processes many small items between frames
//     .add(items)             schedules process(item) for each; waiting items are not added twice
//     .processNow(item)       processes an item at once, waiting or not

const TIMEOUT = 500; // Milliseconds, as below.
const SLICE_LENGTH = 6;
const requestIdle = globalThis.requestIdleCallback
  ? (work) => requestIdleCallback(work, { timeout: TIMEOUT })
  : (work) => setTimeout(work, 1);

export function whenIdle(work) {
  requestIdle(() => work());
}

export class IdleQueue {
  constructor(process) {
    this.process = process;
    this.waiting = new Set();
    this.isScheduled = false;
  }

  add(pieces) {
    for (const piece of pieces) this.waiting.add(piece);
    this.schedule();
  }

  processNow(piece) {
    this.waiting.delete(piece);
    this.process(piece);
  }

  schedule() {
    if (this.isScheduled || !this.waiting.size) return;
    this.isScheduled = true;
    whenIdle(() => this.processSome());
  }

  processSome() {
    const until = performance.now() + SLICE_LENGTH;
    for (const piece of this.waiting) {
      this.processNow(piece);
      if (performance.now() > until) break;
    }
    this.isScheduled = false;
    this.schedule();
  }
}
