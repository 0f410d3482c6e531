// Banner with failed actions, which stay until they are retried or dismissed.
//
//   Failures(retry)     retry(failures) returns a promise of whether the server could be reached
//     .add(error, action)    action: {name, again} of a person, null if the page itself asked
//     .forget(condition)     remove the failures that satisfy a condition

import { Offline } from "../core/api.js";
import { button, fill, h } from "../core/dom.js";
import { sentence } from "./wording.js";

export const ACTION_NAMES = {
  drop: "drop a sentence",
  tell: "add a sentence",
  exclude: "leave a sentence out",
  move: "move a sentence",
  word: "word a sentence otherwise",
  split: "split a sentence",
  edit: "change a sentence",
  write: "write a sentence",
  settle: "settle a disagreement",
  differ: "mark a disagreement",
  length: "change the length",
  headline: "change the headline",
};

export class Failures {
  constructor(retry) {
    this.retry = retry;
    this.list = [];
    this.node = h("div", { class: "banner", role: "alert" });
  }

  add(error, action) {
    const away = error instanceof Offline;
    const name = action?.name ? ` (${action.name})` : "";
    const text = !away ? sentence(error.message) : action ? `Not done: ${error.message}${name}.` : sentence(`${error.message}: this page may be behind`);
    if (!this.list.some((failure) => failure.text === text && !action)) this.list.push({ text, away, action });
    this.draw();
  }

  forget(condition) {
    if (!this.list.some(condition)) return;
    this.list = this.list.filter((failure) => !condition(failure));
    this.draw();
  }

  draw() {
    const away = this.list.filter((failure) => failure.away);
    const again = async () => {
      this.list = this.list.filter((failure) => !failure.away);
      if (!(await this.retry(away))) this.list.unshift(...away.filter(({ action }) => action));
      this.draw();
    };
    if (!this.list.length) return fill(this.node);
    return fill(
      this.node,
      h("ul", {}, this.list.map(({ text }) => h("li", {}, text)), away.some(({ action }) => action) ? h("li", {}, "Nothing that was saved is lost.") : ""),
      h("div", { class: "actions" }, away.length ? button("Try again", again, { class: "plain" }) : "", button("Dismiss", () => this.forget(() => true), { class: "plain" })),
    );
  }
}
