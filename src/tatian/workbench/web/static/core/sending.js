// Sends answers to the server, repeatedly until they have arrived or are refused, but never twice.
//
//   const sending = new Sending(shell)
//   sending.submit()   submit the answer on the page, then show the next item
//   sending.flush()    send an answer that was submitted before a reload; a promise of true if the
//                      answer is shown because its item accepts no more answers

import { Problem, nonce, persist } from "./api.js";
import { button, h } from "./dom.js";
import { Outbox, forgetDraft, isGone } from "./drafts.js";
import * as screens from "./screens.js";

const KEPT = "Your answer is kept in this browser";
const SIGNED_OUT = [401, 403];

export class Sending {
  constructor(shell) {
    this.shell = shell;
    this.outbox = new Outbox(shell.campaign);
  }

  // The item was changed: do not send the answer that waits.
  changed(item) {
    this.outbox.drop(item);
  }

  async flush() {
    const { shell } = this;
    const waiting = this.outbox.get();
    if (!waiting) return false;
    shell.frame.show(h("p", {}, "Sending your last answer …"));
    try {
      await this.deliver(waiting, { remounted: waiting.item });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (SIGNED_OUT.includes(error.status)) return false;
      this.outbox.clear();
      if (isGone(error)) return this.tooLate(waiting, error);
      if (await shell.overtaken.unsent(waiting, error)) return false;
      shell.frame.warn(`Your last answer was not accepted: ${error.message}`);
    }
    return false;
  }

  tooLate({ item, body }, error) {
    const { shell } = this;
    shell.item = item;
    shell.mount(item, shell.task.stateOf(body.answer, item.content));
    shell.overtaken.gone(error.message);
    return true;
  }

  // Wait for a draft that is being sent, as its revision must be known.
  async submit() {
    const { shell } = this;
    if (shell.busy || !shell.page) return;
    const problems = shell.page.problems();
    shell.frame.problems(problems);
    if (problems.length) return;
    const { page, drafts } = shell;
    const submitted = JSON.stringify(page.state());
    this.outbox.put(this.submission());
    shell.hold(true);
    drafts.pause(true);
    try {
      await drafts.flight;
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
      await this.refused(error);
    } finally {
      shell.hold(false);
    }
  }

  // It names the version of the instructions on the page, even if there is a newer one.
  submission() {
    const { item, page, drafts, correcting, seconds, instructions, path } = this.shell;
    const body = { nonce: nonce(), answer: page.answer(), seconds };
    body.guideline = instructions.version ?? null;
    if (correcting) body.replaces = correcting;
    else body.revision = drafts.revision;
    const action = correcting ? "correction" : "answer";
    return { path: `${path}/${item.assignment}/${action}`, body, item };
  }

  // The answer is kept if the annotator was signed out.
  async refused(error) {
    const { shell } = this;
    if (!SIGNED_OUT.includes(error.status)) this.outbox.clear();
    if (error.code === "stale") {
      await shell.overtaken.submission(error.body);
    } else if (error.status === 409 && !shell.correcting) {
      await shell.overtaken.answered(error.message);
    } else if (isGone(error)) {
      shell.overtaken.gone(error.message);
    } else if (error.status === 409) {
      shell.frame.warn(error.message);
      await shell.next();
    } else {
      shell.drafts.pause(false);
      shell.frame.problems([error.message]);
    }
  }

  // Send the answer, then wait until the annotator has read the feedback.
  async deliver(submission, { drafts = null, remounted = null }) {
    const { shell } = this;
    const answer = await persist(() => shell.api.send("POST", submission.path, submission.body), {
      onwait: ({ message }, wait) =>
        shell.frame.offline(`Not sent yet: ${message}. ${KEPT} and sent again in ${wait} s.`),
    });
    this.outbox.clear();
    shell.frame.online();
    drafts?.forget();
    forgetDraft(shell.campaign, submission.item);
    shell.corrections.sent(submission);
    shell.frame.announce("Your answer was saved.");
    shell.news = answer?.message ?? null;
    if (!answer?.feedback) return;
    const { way } = shell.frame;
    const ended = answer.message && way && { ...way, stage_done: way.stage_done + 1 };
    shell.frame.progress(ended || answer.progress);
    if (remounted) {
      shell.mount(remounted, shell.task.stateOf(submission.body.answer, remounted.content));
    }
    await this.learn(answer);
  }

  learn({ feedback, message }) {
    const { shell } = this;
    const root = h("section", { class: "feedback", "aria-label": "How the answer compares" });
    shell.clock.stop();
    shell.page.feedback?.(root, feedback);
    shell.page.destroy?.();
    shell.page = null;
    const done = button("Continue", null, { class: "primary" });
    shell.frame.tools(null);
    shell.frame.show(
      screens.heading("Your answer and ours"),
      message ? h("p", { role: "status" }, message) : null,
      root,
      h("div", { class: "actions" }, done),
    );
    shell.hold(false);
    shell.frame.focus();
    return new Promise((resolve) => done.addEventListener("click", resolve));
  }
}
