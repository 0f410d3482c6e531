// Time spent on an item: while the page is visible and was used within the last minute.
//
//   const clock = new Clock(seconds); clock.seconds; clock.stop()

const IDLE = 60_000;
const USES = ["pointerdown", "pointermove", "keydown", "input", "scroll"];

export class Clock {
  constructor(seconds = 0) {
    this.counted = seconds;
    this.used = performance.now();
    this.last = this.used;
    this.use = () => {
      this.count();
      this.used = performance.now();
    };
    USES.forEach((name) => addEventListener(name, this.use, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", this.use);
    this.hidden = document.hidden;
  }

  get seconds() {
    this.count();
    return Math.round(this.counted * 10) / 10;
  }

  count() {
    const now = performance.now();
    const until = Math.min(now, this.used + IDLE);
    if (!this.hidden && until > this.last) this.counted += (until - this.last) / 1000;
    this.last = now;
    this.hidden = document.hidden;
  }

  stop() {
    this.count();
    USES.forEach((name) => removeEventListener(name, this.use, { capture: true }));
    document.removeEventListener("visibilitychange", this.use);
  }
}
