// The way of an answer to the server: sent until it has arrived or is refused, and never twice.
//
//   const sending = new Sending(shell)
//   sending.submit()   the answer on the page, then the next item
//   sending.flush()    what was submitted before a reload or without a connection: a promise of
//                      true where it has to be shown, since nothing more is accepted for its item

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

  // An answer that was not sent is none any more once its item was changed.
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

  // A draft that is on its way arrives first, or the answer would seem to build on an older one.
  async submit() {
    const { shell } = this;
    if (shell.busy || !shell.page) return;
    const problems = shell.page.problems();
    shell.frame.problems(problems);
    if (problems.length) return;
    const { page, drafts } = shell;
    const said = JSON.stringify(page.state());
    this.outbox.put(this.submission());
    shell.hold(true);
    drafts.pause(true);
    try {
      await drafts.flight;
      if (shell.page !== page || JSON.stringify(page.state()) !== said) {
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

  // The instructions that it names are those beside the page, whichever hold by now.
  submission() {
    const { item, page, drafts, correcting, seconds, instructions, path } = this.shell;
    const body = { nonce: nonce(), answer: page.answer(), seconds };
    body.guideline = instructions.version ?? null;
    if (correcting) body.replaces = correcting;
    else body.revision = drafts.revision;
    const action = correcting ? "correction" : "answer";
    return { path: `${path}/${item.assignment}/${action}`, body, item };
  }

  // Somebody signed out keeps the answer for when they are back; the rest is theirs to mend.
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

  // Sends until the server has answered, then waits for the annotator to have seen the feedback.
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
