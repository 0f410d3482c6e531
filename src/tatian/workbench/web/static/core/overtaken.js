// Handles changes of an item in another window or device of the same annotator. Nothing is dropped
// before the annotator has seen both versions.
//
//   const overtaken = new Overtaken(shell)
//   overtaken.choose(theirs, submitting?)  shows both versions: a promise of "mine", "theirs" (then
//                               on the page) or null, undecided; Undo leads to the one not chosen
//   overtaken.submission({draft, revision})   an answer built on an older draft than the stored one
//   overtaken.answered(message) the item on the page was answered elsewhere: what is here becomes
//                               the beginning of a correction
//   overtaken.unsent(submission, error)       the same for an answer that was waiting to be sent
//   overtaken.gone(message)     nothing more is accepted for the item on the page: what is there
//                               stays, to be read and copied

import { ask, button, h } from "./dom.js";
import { keepUnsent } from "./drafts.js";

const ELSEWHERE =
  "This item was answered in another window or on another device meanwhile. What you have here is " +
  "not lost: submit it as a correction, or leave the other answer as it is.";

export class Overtaken {
  constructor(shell) {
    this.shell = shell;
  }

  async choose(theirs, submitting = false) {
    const { page, history } = this.shell;
    if (!page) return null;
    const mine = page.state();
    const versions = [this.version("On this page", mine), this.version("The other one", theirs)];
    const chosen = await ask({
      title: "This item was changed in another window or on another device",
      body: [
        submitting ? h("p", {}, "Nothing was submitted yet.") : null,
        h("p", {}, "Go on with which one? Undo brings the other one back."),
        h("div", { class: "beside versions" }, versions.map(({ node }) => node)),
      ],
      actions: [[submitting ? "Submit mine" : "Keep mine", "mine"], ["Look at the other", "theirs"]],
      wide: true,
    });
    versions.forEach((version) => version.page.destroy?.());
    if (!chosen || this.shell.page !== page) return null;
    history.note(chosen === "mine" ? theirs : mine);
    history.note(chosen === "mine" ? mine : theirs);
    if (chosen === "theirs") page.restore(theirs);
    this.shell.tools();
    return chosen;
  }

  // A separate form, so that its radio buttons do not form a group with those of the page.
  version(title, state) {
    const { task, item, api, path } = this.shell;
    const root = h("form", { onsubmit: (event) => event.preventDefault() });
    const still = () => {};
    const context = { changed: still, announce: still, submit: still, api };
    context.path = `${path}/${item.assignment}`;
    const page = task.mount(root, { content: item.content, state, readonly: true }, context);
    return { page, node: h("section", { "aria-label": title, tabindex: 0 }, h("h3", {}, title), root) };
  }

  async submission({ draft, revision }) {
    const { shell } = this;
    const { drafts, page } = shell;
    const submitted = JSON.stringify(page.state());
    await drafts.flight;
    const kept = await drafts.settle(draft ?? null, revision, true);
    drafts.pause(false);
    shell.hold(false);
    const same = shell.page === page && JSON.stringify(page.state()) === submitted;
    if (kept === "mine" && same) await shell.submit();
  }

  async answered(message) {
    const { shell } = this;
    const { item, page, drafts } = shell;
    const kept = await this.keep(item, page.state(), shell.seconds, page.answer());
    if (shell.page !== page) return;
    if (!kept) {
      shell.frame.warn(message);
      await shell.next();
      return;
    }
    drafts.forget();
    shell.corrections.begin(kept);
    shell.frame.alarm(h("p", {}, ELSEWHERE));
  }

  async unsent({ path, body, item }, error) {
    const { shell } = this;
    if (error.status !== 409 || !path.endsWith("/answer")) return false;
    const state = shell.task.stateOf(body.answer, item.content);
    if (error.code === "stale") {
      keepUnsent(shell.campaign, item, { state, seconds: body.seconds, revision: body.revision });
      return true;
    }
    return Boolean(await this.keep(item, state, body.seconds, body.answer));
  }

  gone(message) {
    const { shell } = this;
    if (!shell.page) return;
    shell.freeze();
    const said = message[0].toUpperCase() + message.slice(1);
    shell.frame.alarm([
      h("p", {}, `${said}. Nothing here is saved or submitted any more: copy what you want to keep.`),
      button("Go on", () => shell.next(), { class: "primary" }),
    ]);
  }

  // The stored answer, if it can be corrected and is different.
  async keep(item, state, seconds, answer) {
    const { shell } = this;
    const stored = await shell.attempt(() => shell.api.get(`${shell.path}/${item.assignment}`));
    if (!stored?.correctable) return null;
    if (JSON.stringify(stored.answer) === JSON.stringify(answer)) return null;
    shell.corrections.keep(stored, state, seconds);
    return stored;
  }
}
