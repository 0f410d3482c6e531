// The permanent parts of an annotation page: header, banner, toolbar, announcements.
//
//   const frame = new Frame(root, instructions, {undo, redo, submit, giveBack, help, answers})
//   frame.show(...nodes)            the main part       frame.header(work)   title and progress
//   frame.progress(progress)        progress alone      frame.tools(state)   the toolbar; null hides it
//   frame.saved("saving" | "saved" | ...)               frame.showProblems([text])   why an answer was
//                                   not submitted; [] removes them
//   frame.addNote(text|nodes)       above the task until the next item
//   frame.announceNews(title, text) a note for changes since the last item, also announced
//   frame.addAlert(nodes)           an urgent note      frame.warn(text)     until it is closed
//   frame.offline(text), .online()  the banner          frame.announce(text) for screen readers
//   frame.setBusy(busy)             block input while an answer is sent

import { announce, ask, button, fill, h } from "./dom.js";
import * as screens from "./screens.js";

const SAVE_MESSAGES = {
  saving: "Saving …",
  saved: "Draft saved",
  offline: "No connection: the draft is kept in this browser",
  refused: "The draft was not saved on the server",
  kept: "Kept in this browser",
  undecided: "Not saved: it was changed in another window too",
};

const SENDING = "Sending …";

export class Frame {
  constructor(root, instructions, actions) {
    this.title = h("h1", {}, document.title);
    this.stage = h("p", { class: "stage" });
    this.instructionsButton = button("Instructions", () => instructions.toggle(), {
      "aria-expanded": "false",
      "aria-controls": "instructions",
    });
    instructions.onchange = (shown) => this.instructionsButton.setAttribute("aria-expanded", String(shown));
    this.lastProgress = null;
    this.answersButton = button("My answers", actions.answers);
    this.links = h("span", { class: "more" });
    this.banner = h("div", { class: "banner", role: "status" });
    this.warnings = h("div", { class: "warnings", role: "alert" });
    this.notes = h("div", { class: "notes" });
    this.main = h("main", { id: "task", tabindex: -1 });
    this.problemList = h("div", { class: "problems", role: "alert" });
    this.announcer = h("div", { class: "unseen", "aria-live": "polite" });
    this.saveState = h("span", { class: "saved", role: "status" });
    this.undo = button("Undo", actions.undo, { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", actions.redo, { "aria-keyshortcuts": "Control+Shift+Z" });
    this.returnButton = button("Give back", actions.giveBack, { title: "Leave this item to somebody else" });
    this.submitButton = button("Submit", actions.submit, {
      class: "primary",
      "aria-keyshortcuts": "Control+Enter",
    });
    this.toolbar = h(
      "footer",
      { class: "toolbar", role: "toolbar", "aria-label": "Tools", hidden: true },
      this.undo,
      this.redo,
      this.saveState,
      this.returnButton,
      this.submitButton,
    );
    const keys = button("Keys", actions.help, { "aria-keyshortcuts": "?" });
    fill(
      root,
      h("header", { class: "bar" },
        h("div", { class: "where" }, this.title, this.stage),
        h("nav", { "aria-label": "Page" }, this.instructionsButton, this.answersButton, keys, this.links)),
      this.banner,
      this.warnings,
      h("div", { class: "layout" },
        h("div", { class: "middle" }, this.notes, this.main, this.problemList, this.toolbar),
        instructions.node),
      this.announcer,
    );
  }

  show(...nodes) {
    fill(this.main, ...nodes);
    this.main.inert = false; // or what is shown after sending could not take the focus
    fill(this.notes);
    this.showProblems([]);
  }

  focus() {
    this.main.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  header({ campaign, progress, resume }) {
    document.title = campaign.title;
    this.title.textContent = campaign.title;
    this.progress(progress);
    const privacy = `/work/${encodeURIComponent(campaign.id)}/privacy`;
    fill(
      this.links,
      resume && button("My link", () => ask(screens.linkDialog(resume))),
      h("a", { href: privacy }, "My data"),
    );
  }

  progress(progress) {
    if (!progress) return;
    this.lastProgress = progress;
    fill(this.stage, progressNodes(progress));
  }

  tools(state) {
    this.toolbar.hidden = !state;
    if (!state) {
      this.saved("");
      return;
    }
    this.undo.disabled = !state.undo;
    this.redo.disabled = !state.redo;
    this.submitButton.hidden = !state.ready;
    this.submitButton.textContent = state.correcting ? "Submit the correction" : "Submit";
    this.returnButton.hidden = state.correcting;
  }

  saved(state) {
    this.saveState.textContent = SAVE_MESSAGES[state] || "";
    if (state === "offline") this.offline(SAVE_MESSAGES.offline);
    if (state === "saved") this.online();
  }

  showProblems(texts) {
    fill(
      this.problemList,
      texts.length
        ? [h("p", {}, "Not submitted yet:"), h("ul", {}, texts.map((text) => h("li", {}, text)))]
        : null,
    );
    if (texts.length) this.problemList.scrollIntoView({ block: "nearest" });
  }

  addNote(content) {
    const note = h("div", { class: "note", role: "note" }, content);
    this.notes.append(note);
    return note;
  }

  announceNews(title, text) {
    this.addNote([h("strong", {}, `${title}. `), text]).classList.add("news");
    const news = [...this.notes.querySelectorAll(".news")];
    this.announce(news.map((note) => note.textContent).join(" "));
  }

  addAlert(content) {
    const alert = h("div", { class: "warning", role: "alert" }, content);
    this.notes.prepend(alert);
    alert.scrollIntoView({ block: "nearest" });
  }

  warn(text) {
    const warning = h("div", { class: "warning" }, h("p", {}, text));
    warning.append(button("Close", () => warning.remove()));
    this.warnings.append(warning);
  }

  offline(text) {
    if (this.banner.textContent !== text) this.banner.textContent = text;
  }

  online() {
    this.banner.textContent = "";
  }

  announce(text) {
    announce(this.announcer, text);
  }

  setBusy(busy) {
    for (const part of [this.main, this.notes, this.answersButton]) part.inert = busy;
    this.main.setAttribute("aria-busy", String(busy));
    for (const tool of this.toolbar.querySelectorAll("button")) tool.inert = busy;
    this.toolbar.classList.toggle("busy", busy);
    if (busy) this.saveState.textContent = SENDING;
    else if (this.saveState.textContent === SENDING) this.saveState.textContent = "";
  }
}

function progressNodes({ done, stage, stages = [], stage_done, stage_total }) {
  const name = typeof stage === "number" ? stages[stage] : stage;
  const hasTotal = Number.isInteger(stage_total) && stage_total > 0;
  return [
    stages.length > 1 && name ? `${name}: ` : null,
    hasTotal ? `${stage_done} of ${stage_total} done ` : `${stage_done ?? done} done`,
    hasTotal && h("progress", { value: stage_done, max: stage_total, "aria-label": "Progress" }),
  ];
}
