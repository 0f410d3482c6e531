// The permanent parts of an annotation page: header, banner, toolbar, announcements.
//
//   const frame = new Frame(root, instructions, {undo, redo, submit, giveBack, help, answers})
//   frame.show(...nodes)   in the middle       frame.header(work)      title and progress
//   frame.progress(progress)                   how far one is, where only that has changed
//   frame.tools(state)     the toolbar; null hides it     frame.saved("saving" | "saved" | ...)
//   frame.problems([text]) why something was not submitted; [] clears
//   frame.news(title, text)   as note, and announced: what has changed since the last item
//   frame.note(text|nodes) above the task until the next item     frame.warn(text)  until closed
//   frame.alarm(nodes)     as note, for what must not be overlooked
//   frame.offline(text) / frame.online()       frame.announce(text)    frame.hold(busy)

import { ask, button, fill, h } from "./dom.js";
import * as screens from "./screens.js";

const SAVED = {
  saving: "Saving …",
  saved: "Draft saved",
  offline: "No connection: the draft is kept in this browser",
  refused: "The draft was not saved on the server",
  kept: "Kept in this browser",
  undecided: "Not saved: it was changed in another window too",
};

const SENDING = "Sending …";

export class Frame {
  constructor(root, instructions, act) {
    this.title = h("h1", {}, document.title);
    this.stage = h("p", { class: "stage" });
    this.panel = button("Instructions", () => instructions.toggle(), {
      "aria-expanded": "false",
      "aria-controls": "instructions",
    });
    instructions.onchange = (shown) => this.panel.setAttribute("aria-expanded", String(shown));
    this.way = null;
    this.mine = button("My answers", act.answers);
    this.more = h("span", { class: "more" });
    this.banner = h("div", { class: "banner", role: "status" });
    this.warnings = h("div", { class: "warnings", role: "alert" });
    this.notes = h("div", { class: "notes" });
    this.main = h("main", { id: "task", tabindex: -1 });
    this.trouble = h("div", { class: "problems", role: "alert" });
    this.live = h("div", { class: "unseen", "aria-live": "polite" });
    this.state = h("span", { class: "saved", role: "status" });
    this.undo = button("Undo", act.undo, { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("Redo", act.redo, { "aria-keyshortcuts": "Control+Shift+Z" });
    this.back = button("Give back", act.giveBack, { title: "Leave this item to somebody else" });
    this.send = button("Submit", act.submit, {
      class: "primary",
      "aria-keyshortcuts": "Control+Enter",
    });
    this.toolbar = h(
      "footer",
      { class: "toolbar", role: "toolbar", "aria-label": "Tools", hidden: true },
      this.undo,
      this.redo,
      this.state,
      this.back,
      this.send,
    );
    const keys = button("Keys", act.help, { "aria-keyshortcuts": "?" });
    fill(
      root,
      h("header", { class: "bar" },
        h("div", { class: "where" }, this.title, this.stage),
        h("nav", { "aria-label": "Page" }, this.panel, this.mine, keys, this.more)),
      this.banner,
      this.warnings,
      h("div", { class: "layout" },
        h("div", { class: "middle" }, this.notes, this.main, this.trouble, this.toolbar),
        instructions.node),
      this.live,
    );
  }

  show(...nodes) {
    fill(this.main, ...nodes);
    this.main.inert = false; // or what is shown after sending could not take the focus
    fill(this.notes);
    this.problems([]);
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
      this.more,
      resume && button("My link", () => ask(screens.link(resume))),
      h("a", { href: privacy }, "My data"),
    );
  }

  progress(progress) {
    if (!progress) return;
    this.way = progress;
    fill(this.stage, standing(progress));
  }

  tools(state) {
    this.toolbar.hidden = !state;
    if (!state) {
      this.saved("");
      return;
    }
    this.undo.disabled = !state.undo;
    this.redo.disabled = !state.redo;
    this.send.hidden = !state.ready;
    this.send.textContent = state.correcting ? "Submit the correction" : "Submit";
    this.back.hidden = state.correcting;
  }

  saved(state) {
    this.state.textContent = SAVED[state] || "";
    if (state === "offline") this.offline(SAVED.offline);
    if (state === "saved") this.online();
  }

  problems(texts) {
    fill(
      this.trouble,
      texts.length
        ? [h("p", {}, "Not submitted yet:"), h("ul", {}, texts.map((text) => h("li", {}, text)))]
        : null,
    );
    if (texts.length) this.trouble.scrollIntoView({ block: "nearest" });
  }

  note(content) {
    const note = h("div", { class: "note", role: "note" }, content);
    this.notes.append(note);
    return note;
  }

  news(title, text) {
    this.note([h("strong", {}, `${title}. `), text]).classList.add("news");
    const news = [...this.notes.querySelectorAll(".news")];
    this.announce(news.map((note) => note.textContent).join(" "));
  }

  alarm(content) {
    const alarm = h("div", { class: "warning", role: "alert" }, content);
    this.notes.prepend(alarm);
    alarm.scrollIntoView({ block: "nearest" });
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
    this.live.textContent = "";
    setTimeout(() => {
      this.live.textContent = text;
    }, 50);
  }

  hold(busy) {
    for (const part of [this.main, this.notes, this.mine]) part.inert = busy;
    this.main.setAttribute("aria-busy", String(busy));
    for (const tool of this.toolbar.querySelectorAll("button")) tool.inert = busy;
    this.toolbar.classList.toggle("busy", busy);
    if (busy) this.state.textContent = SENDING;
    else if (this.state.textContent === SENDING) this.state.textContent = "";
  }
}

function standing({ done, stage, stages = [], stage_done, stage_total }) {
  const name = typeof stage === "number" ? stages[stage] : stage;
  const counted = Number.isInteger(stage_total) && stage_total > 0;
  return [
    stages.length > 1 && name ? `${name}: ` : null,
    counted ? `${stage_done} of ${stage_total} done ` : `${stage_done ?? done} done`,
    counted && h("progress", { value: stage_done, max: stage_total, "aria-label": "Progress" }),
  ];
}
