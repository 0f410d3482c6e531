// Handle changes of an item by the same annotator in another window or on another device. Nothing
// is dropped before the annotator has seen both versions.
//
//   const editConflicts = new EditConflicts(shell)
//   editConflicts.chooseVersion(storedState, submitting?)   shows both versions; a promise of
//                               "local", "stored" (now on the page), or null if undecided
//   editConflicts.resolveStale({draft, revision})   the answer is based on an outdated draft
//   editConflicts.onAnswered(message)   the item was answered elsewhere: the page becomes a correction
//   editConflicts.keepRefused(submission, error)    keep an unsent answer that was refused; a promise
//                               of whether it was kept
//   editConflicts.onEnded(message)      the item accepts no answer: the page can only be read

import { ask, button, h } from "./dom.js";
import { storeUnsent } from "./drafts.js";

const ELSEWHERE =
  "This item was answered in another window or on another device meanwhile. What you have here is " +
  "not lost: submit it as a correction, or leave the other answer as it is.";

export class EditConflicts {
  constructor(shell) {
    this.shell = shell;
  }

  async chooseVersion(storedState, submitting = false) {
    const { page, history } = this.shell;
    if (!page) return null;
    const pageState = page.state();
    const versions = [this.buildVersion("On this page", pageState), this.buildVersion("The other one", storedState)];
    const chosen = await ask({
      title: "This item was changed in another window or on another device",
      body: [
        submitting ? h("p", {}, "Nothing was submitted yet.") : null,
        h("p", {}, "Go on with which one? Undo brings the other one back."),
        h("div", { class: "beside versions" }, versions.map(({ node }) => node)),
      ],
      actions: [[submitting ? "Submit mine" : "Keep mine", "local"], ["Look at the other", "stored"]],
      wide: true,
    });
    versions.forEach((version) => version.page.destroy?.());
    if (!chosen || this.shell.page !== page) return null;
    history.record(chosen === "local" ? storedState : pageState);
    history.record(chosen === "local" ? pageState : storedState);
    if (chosen === "stored") page.restore(storedState);
    this.shell.tools();
    return chosen;
  }

  // A separate form, so that its radio buttons do not form a group with those of the page.
  buildVersion(title, state) {
    const { task, item, api, path } = this.shell;
    const root = h("form", { onsubmit: (event) => event.preventDefault() });
    const ignore = () => {};
    const context = { changed: ignore, announce: ignore, submit: ignore, api };
    context.path = `${path}/${item.assignment}`;
    const page = task.mount(root, { content: item.content, state, readonly: true }, context);
    return { page, node: h("section", { "aria-label": title, tabindex: 0 }, h("h3", {}, title), root) };
  }

  async resolveStale({ draft, revision }) {
    const { shell } = this;
    const { drafts, page } = shell;
    const submitted = JSON.stringify(page.state());
    await drafts.request;
    const chosen = await drafts.settle(draft ?? null, revision, true);
    drafts.pause(false);
    shell.setBusy(false);
    const isUnchanged = shell.page === page && JSON.stringify(page.state()) === submitted;
    if (chosen === "local" && isUnchanged) await shell.submit();
  }

  async onAnswered(message) {
    const { shell } = this;
    const { item, page, drafts } = shell;
    const correction = await this.keepAsCorrection(item, page.state(), shell.seconds, page.answer());
    if (shell.page !== page) return;
    if (!correction) {
      shell.frame.warn(message);
      await shell.next();
      return;
    }
    drafts.forget();
    shell.corrections.begin(correction);
    shell.frame.addAlert(h("p", {}, ELSEWHERE));
  }

  async keepRefused({ path, body, item }, error) {
    const { shell } = this;
    if (error.status !== 409 || !path.endsWith("/answer")) return false;
    const state = shell.task.stateOf(body.answer, item.content);
    if (error.code === "stale") {
      storeUnsent(shell.campaign, item, { state, seconds: body.seconds, revision: body.revision });
      return true;
    }
    return Boolean(await this.keepAsCorrection(item, state, body.seconds, body.answer));
  }

  onEnded(message) {
    const { shell } = this;
    if (!shell.page) return;
    shell.freeze();
    const text = message[0].toUpperCase() + message.slice(1);
    shell.frame.addAlert([
      h("p", {}, `${text}. Nothing here is saved or submitted any more: copy what you want to keep.`),
      button("Go on", () => shell.next(), { class: "primary" }),
    ]);
  }

  // Keep an answer as a correction of the stored one; null if that is equal or cannot be corrected.
  async keepAsCorrection(item, state, seconds, answer) {
    const { shell } = this;
    const stored = await shell.attempt(() => shell.api.get(`${shell.path}/${item.assignment}`));
    if (!stored?.correctable) return null;
    if (JSON.stringify(stored.answer) === JSON.stringify(answer)) return null;
    shell.corrections.store(stored, state, seconds);
    return stored;
  }
}
