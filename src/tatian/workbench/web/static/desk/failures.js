// What could not be done: it stays on the page until it is done after all, or dismissed.
//
//   Failures(retry)     retry(failures) does them again, a promise of whether the server was there
//     .add(error, doing)   doing: {name, again} of a person's action, null for one of the page
//     .forget(such)        those that are `such` are no more

import { Offline } from "../core/api.js";
import { button, fill, h } from "../core/dom.js";
import { sentence } from "./wording.js";

export const DOING = {
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

  add(error, doing) {
    const away = error instanceof Offline;
    const name = doing?.name ? ` (${doing.name})` : "";
    const text = !away ? sentence(error.message) : doing ? `Not done: ${error.message}${name}.` : sentence(`${error.message}: this page may be behind`);
    if (!this.list.some((one) => one.text === text && !doing)) this.list.push({ text, away, doing });
    this.draw();
  }

  forget(such) {
    if (!this.list.some(such)) return;
    this.list = this.list.filter((one) => !such(one));
    this.draw();
  }

  draw() {
    const away = this.list.filter((one) => one.away);
    const again = async () => {
      this.list = this.list.filter((one) => !one.away);
      if (!(await this.retry(away))) this.list.unshift(...away.filter(({ doing }) => doing));
      this.draw();
    };
    if (!this.list.length) return fill(this.node);
    return fill(
      this.node,
      h("ul", {}, this.list.map(({ text }) => h("li", {}, text)), away.some(({ doing }) => doing) ? h("li", {}, "Nothing that was saved is lost.") : ""),
      h("div", { class: "actions" }, away.length ? button("Try again", again, { class: "plain" }) : "", button("Dismiss", () => this.forget(() => true), { class: "plain" })),
    );
  }
}
