// The queue of everybody's jobs, which administrators can cancel.

import { button, fill, h } from "../core/dom.js";
import { withErrors } from "./failures.js";
import { count } from "./wording.js";

const INTERVAL = 3000; // Milliseconds between two refreshes.
const KINDS = {
  weave: "consolidating",
  trace: "checking a draft",
  verify: "checking a sentence",
  union: "looking for a wording",
  write: "asking the language model",
};

export class Queue {
  constructor(server) {
    this.server = server;
    this.shown = "";
    this.problem = h("p", { role: "alert", class: "problem" });
    this.list = h("ul", { class: "queue" });
    this.node = h("section", { hidden: true, "aria-label": "Queue" }, h("h2", { tabindex: -1 }, "Queue"), this.problem, this.list);
  }

  start() {
    this.refresh();
    setInterval(() => document.hidden || this.refresh(), INTERVAL);
  }

  async refresh() {
    try {
      this.draw(await this.server.queue());
    } catch {
      // The server cannot be reached; the next refresh may succeed.
    }
  }

  // Draw the queue only if it has changed, so that the focus is not lost.
  draw(jobs) {
    const lines = jobs.map((job) => [job.number, this.line(job)]);
    const content = JSON.stringify(lines);
    if (content === this.shown) return;
    this.shown = content;
    const focused = document.activeElement?.dataset?.job;
    this.node.hidden = !jobs.length;
    fill(this.list, lines.map(([number, line]) => h("li", {}, line, " ", this.button(number, line))));
    if (focused) (this.list.querySelector(`[data-job="${focused}"]`) || this.node.querySelector("h2")).focus();
  }

  line({ name, kind, place, seconds }) {
    const minutes = Math.floor(seconds / 60);
    const time = minutes ? `for ${count(minutes, "minute")}` : "now";
    return `${name}: ${KINDS[kind] || kind}, ${place ? `place ${place} in the queue` : time}`;
  }

  button(number, line) {
    return button("Cancel", () => this.cancel(number), { class: "plain", "aria-label": `Cancel ${line}`, "data-job": number });
  }

  async cancel(number) {
    await withErrors(this.problem, () => this.server.cancelJob(number));
    await this.refresh();
  }
}
