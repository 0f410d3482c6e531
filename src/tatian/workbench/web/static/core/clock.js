// Time that a person works on an item: the page is visible and was used within the last minute.
//
//   const clock = new Clock(seconds); clock.seconds; clock.stop()

const IDLE_AFTER = 60_000; // Milliseconds.
const USES = ["pointerdown", "pointermove", "keydown", "input", "scroll"];

export class Clock {
  constructor(seconds = 0) {
    this.counted = seconds;
    this.lastUse = performance.now();
    this.countedUntil = this.lastUse;
    this.onUse = () => {
      this.count();
      this.lastUse = performance.now();
    };
    USES.forEach((name) => addEventListener(name, this.onUse, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", this.onUse);
    this.hidden = document.hidden;
  }

  get seconds() {
    this.count();
    return Math.round(this.counted * 10) / 10;
  }

  count() {
    const now = performance.now();
    const until = Math.min(now, this.lastUse + IDLE_AFTER);
    if (!this.hidden && until > this.countedUntil) this.counted += (until - this.countedUntil) / 1000;
    this.countedUntil = now;
    this.hidden = document.hidden;
  }

  stop() {
    this.count();
    USES.forEach((name) => removeEventListener(name, this.onUse, { capture: true }));
    document.removeEventListener("visibilitychange", this.onUse);
  }
}
