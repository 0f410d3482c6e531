// Banner with failed actions, which stay until they are retried or dismissed.
//
//   Failures(retry)     retry(failures) returns a promise of whether the server could be reached
//     .add(error, action)    action: {name, retryAction} of a person, null if the page itself asked
//     .forget(condition)     remove the failures that satisfy a condition
//   withErrors(node, work)   runs work(); `node` shows its error

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

export async function withErrors(node, work) {
  fill(node);
  try {
    await work();
  } catch (error) {
    fill(node, sentence(error.message));
  }
}

export class Failures {
  constructor(retry) {
    this.retry = retry;
    this.list = [];
    this.node = h("div", { class: "banner", role: "alert" });
  }

  add(error, action) {
    const isOffline = error instanceof Offline;
    const name = action?.name ? ` (${action.name})` : "";
    const text = !isOffline ? sentence(error.message) : action ? `Not done: ${error.message}${name}.` : sentence(`${error.message}: this page may be behind`);
    if (!this.list.some((failure) => failure.text === text && !action)) this.list.push({ text, isOffline, action });
    this.draw();
  }

  forget(condition) {
    if (!this.list.some(condition)) return;
    this.list = this.list.filter((failure) => !condition(failure));
    this.draw();
  }

  draw() {
    const isOffline = this.list.filter((failure) => failure.isOffline);
    const retryAll = async () => {
      this.list = this.list.filter((failure) => !failure.isOffline);
      if (!(await this.retry(isOffline))) this.list.unshift(...isOffline.filter(({ action }) => action));
      this.draw();
    };
    if (!this.list.length) return fill(this.node);
    return fill(
      this.node,
      h("ul", {}, this.list.map(({ text }) => h("li", {}, text)), isOffline.some(({ action }) => action) ? h("li", {}, "Nothing that was saved is lost.") : ""),
      h("div", { class: "actions" }, isOffline.length ? button("Try again", retryAll, { class: "plain" }) : "", button("Dismiss", () => this.forget(() => true), { class: "plain" })),
    );
  }
}
