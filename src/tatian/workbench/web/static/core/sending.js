// Send answers to the server, repeatedly until they are stored or refused, but never twice.
//
//   const sending = new Sending(shell)
//   sending.submit()   submits the answer on the page, then shows the next item
//   sending.flush()    sends an answer that was submitted before a reload; a promise of true if the
//                      answer is shown because its item accepts no more answers

import { Problem, makeNonce, retryOffline } from "./api.js";
import { button, h } from "./dom.js";
import { Outbox, forgetDraft, isEnded } from "./drafts.js";
import * as screens from "./screens.js";

const KEPT_HERE = "Your answer is kept in this browser";
const SIGNED_OUT = [401, 403];

export class Sending {
  constructor(shell) {
    this.shell = shell;
    this.outbox = new Outbox(shell.campaign);
  }

  // Drop the unsent answer of an item that was changed.
  dropUnsent(item) {
    this.outbox.drop(item);
  }

  async flush() {
    const { shell } = this;
    const unsent = this.outbox.get();
    if (!unsent) return false;
    shell.frame.show(h("p", {}, "Sending your last answer …"));
    try {
      await this.deliver(unsent, { itemToMount: unsent.item });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (SIGNED_OUT.includes(error.status)) return false;
      this.outbox.clear();
      if (isEnded(error)) return this.showEnded(unsent, error);
      if (await shell.editConflicts.keepRefused(unsent, error)) return false;
      shell.frame.warn(`Your last answer was not accepted: ${error.message}`);
    }
    return false;
  }

  showEnded({ item, body }, error) {
    const { shell } = this;
    shell.item = item;
    shell.mount(item, shell.task.stateOf(body.answer, item.content));
    shell.editConflicts.onEnded(error.message);
    return true;
  }

  // The revision of a draft that is being saved must be known first.
  async submit() {
    const { shell } = this;
    if (shell.busy || !shell.page) return;
    const problems = shell.page.problems();
    shell.frame.showProblems(problems);
    if (problems.length) return;
    const { page, drafts } = shell;
    const submitted = JSON.stringify(page.state());
    this.outbox.put(this.submission());
    shell.setBusy(true);
    drafts.pause(true);
    try {
      await drafts.request;
      if (shell.page !== page || JSON.stringify(page.state()) !== submitted) {
        this.outbox.clear();
        drafts.pause(false);
        return;
      }
      const submission = this.submission();
      this.outbox.put(submission);
      await this.deliver(submission, { drafts });
      await shell.next();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.handleRefusal(error);
    } finally {
      shell.setBusy(false);
    }
  }

  // A submission names the version of the instructions on the page, even if there is a newer one.
  submission() {
    const { item, page, drafts, correcting, seconds, instructions, path } = this.shell;
    const body = { nonce: makeNonce(), answer: page.answer(), seconds };
    body.guideline = instructions.version ?? null;
    if (correcting) body.replaces = correcting;
    else body.revision = drafts.revision;
    const action = correcting ? "correction" : "answer";
    return { path: `${path}/${item.assignment}/${action}`, body, item };
  }

  // Keep the answer if the annotator was signed out.
  async handleRefusal(error) {
    const { shell } = this;
    if (!SIGNED_OUT.includes(error.status)) this.outbox.clear();
    if (error.code === "stale") {
      await shell.editConflicts.resolveStale(error.body);
    } else if (error.status === 409 && !shell.correcting) {
      await shell.editConflicts.onAnswered(error.message);
    } else if (isEnded(error)) {
      shell.editConflicts.onEnded(error.message);
    } else if (error.status === 409) {
      shell.frame.warn(error.message);
      await shell.next();
    } else {
      shell.drafts.pause(false);
      shell.frame.showProblems([error.message]);
    }
  }

  // Send the answer, then wait until the annotator has read the feedback.
  async deliver(submission, { drafts = null, itemToMount = null }) {
    const { shell } = this;
    const answer = await retryOffline(() => shell.api.send("POST", submission.path, submission.body), {
      onwait: ({ message }, wait) =>
        shell.frame.offline(`Not sent yet: ${message}. ${KEPT_HERE} and sent again in ${wait} s.`),
    });
    this.outbox.clear();
    shell.frame.online();
    drafts?.forget();
    forgetDraft(shell.campaign, submission.item);
    shell.corrections.forgetSent(submission);
    shell.frame.announce("Your answer was saved.");
    shell.stageMessage = answer?.message ?? null;
    if (!answer?.feedback) return;
    const { lastProgress: progress } = shell.frame;
    const stageEnd = answer.message && progress && { ...progress, stage_done: progress.stage_done + 1 };
    shell.frame.progress(stageEnd || answer.progress);
    if (itemToMount) {
      shell.mount(itemToMount, shell.task.stateOf(submission.body.answer, itemToMount.content));
    }
    await this.showFeedback(answer);
  }

  showFeedback({ feedback, message }) {
    const { shell } = this;
    const root = h("section", { class: "feedback", "aria-label": "How the answer compares" });
    shell.clock.stop();
    shell.page.feedback?.(root, feedback);
    shell.page.destroy?.();
    shell.page = null;
    const continueButton = button("Continue", null, { class: "primary" });
    shell.frame.tools(null);
    shell.frame.show(
      screens.heading("Your answer and ours"),
      message ? h("p", { role: "status" }, message) : null,
      root,
      h("div", { class: "actions" }, continueButton),
    );
    shell.setBusy(false);
    shell.frame.focus();
    return new Promise((resolve) => continueButton.addEventListener("click", resolve));
  }
}
