// Screens without an item (consent, waiting, the end, problems), and contents of dialogs.

import { button, copyText, fromHtml, h, unique } from "./dom.js";

export const SUGGESTED =
  "This item began with a draft that a model wrote. It may be wrong: check every part.";

const CHANGED = "The terms have changed";
const TITLES = {
  consent: "Before you begin",
  waiting: "Nothing to do at the moment",
  finished: "All done: thank you",
  failed: "This is the end of the training",
  excluded: "You no longer take part",
  closed: "The campaign is closed",
};

const TEXTS = {
  waiting: "Every item is taken. One may come back; this page looks again by itself.",
  finished: "Your answers are saved.",
  failed:
    "Thank you for your time. Your answers differed too often from what this task asks for, so " +
    "the main part does not follow. Nothing more is asked of you.",
  excluded:
    "Thank you for your time. Nothing more is asked of you. If you think that this is a mistake, " +
    "write to whoever invited you.",
  closed: "Nothing more is given out or accepted. Your answers are saved.",
};

// The name of an answered item: its number among the person's answers, and its beginning.
export function answerName({ number, title }) {
  return title ? `${number}. ${title}` : `Item ${number}`;
}

export function heading(text) {
  return h("h2", { tabindex: -1 }, text);
}

const LEAVING = {
  waiting: "You need not wait: you can go back to the panel.",
  consent:
    "If you do not agree, you can go back to the panel. What you have done so far stays under the " +
    "terms that you agreed to.",
};
const FINISHED = "Go back to the panel to complete your part.";
const ENDED = "Go back to the panel to end your part there.";
const NO_CODE = "There is no code for this: if the panel asks for one, return the study.";
const REFUSED =
  "If you do not agree, close this page; if a panel sent you, return the study there.";

export function statusScreen(work, { consent, again }) {
  const text = work.message || TEXTS[work.state] || "";
  const html = /^\s*</.test(text);
  const screen = h(
    "section",
    { class: "screen" },
    heading(work.asked?.again ? CHANGED : TITLES[work.state] || "Please wait"),
    work.asked?.again ? h("p", {}, "Please read them before you go on.") : null,
    h("div", { dir: "auto" }, html ? fromHtml(text) : h("p", { class: "lines" }, text)),
  );
  if (work.asked) {
    const label = work.asked.requirements ? "I meet these requirements and agree" : "I agree";
    screen.append(button(label, () => consent(work.asked.terms), { class: "primary" }));
    if (!work.asked.again) screen.append(h("p", {}, REFUSED));
  }
  if (work.state === "waiting") screen.append(button("Look again", again));
  if (work.completion) screen.append(...panelNodes(work.state, work.completion));
  return screen;
}

function panelNodes(state, { outcome, code, redirect }) {
  const finished = outcome === "finished";
  const nodes = [h("p", {}, LEAVING[state] || (finished ? FINISHED : ENDED))];
  if (code) nodes.push(h("p", {}, "Your completion code: ", h("strong", { class: "code" }, code)));
  else if (!finished) nodes.push(h("p", {}, NO_CODE));
  if (redirect && /^https:\/\//.test(redirect)) {
    const kind = LEAVING[state] ? "button" : "primary";
    const link = { class: kind, href: redirect, rel: "noreferrer" };
    nodes.push(h("p", {}, h("a", link, "Back to the panel")));
  }
  return nodes;
}

export function problemScreen(error, again) {
  const isSignedOut = error.status === 401 || error.status === 403;
  return h(
    "section",
    { class: "screen", role: "alert" },
    heading("This did not work"),
    h("p", {}, error.message),
    isSignedOut ? h("p", {}, "Open your personal link again to go on; drafts are kept.") : null,
    button("Try again", again),
  );
}

export function keyboardDialog(pageKeys) {
  const keys = [
    ["Ctrl Z", "Undo"],
    ["Ctrl Shift Z", "Redo"],
    ["Ctrl Enter", "Submit"],
    ["Tab", "Next control"],
    ["?", "This list"],
    ...pageKeys,
  ];
  const rows = keys.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]);
  const body = h("dl", { class: "keys" }, rows);
  return { title: "Keyboard", body, actions: [["Close", null, true]] };
}

export function loadingMessage() {
  return h("p", { class: "loading", role: "status" }, "Loading …");
}

export function linkDialog(address) {
  const label = "Your personal link";
  const field = h("input", { type: "text", readOnly: true, value: address, "aria-label": label });
  const status = h("span", { role: "status" });
  const copy = button("Copy", async () => {
    field.select();
    status.textContent = (await copyText(address)) ? "Copied." : "Press Ctrl+C to copy.";
  });
  const why =
    "With this link you go on with your work on another device, or here if you lose this page. " +
    "Keep it to yourself: whoever has it can work in your name.";
  return {
    title: "My link",
    body: [h("p", {}, why), field, h("p", { class: "actions" }, copy, status)],
    actions: [["Close", null]],
  };
}

const TRAINING = "Training answers are not corrected: you have seen ours.";

export function answersDialog(answers) {
  const sorted = [...answers].sort((a, b) => b.submitted - a.submitted);
  const choice = { value: null };
  const name = "answer-to-correct";
  const why = h("p", { class: "faint", id: unique("why") }, TRAINING);
  const rows = sorted.map((answer) =>
    h(
      "li",
      {},
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name,
          disabled: !answer.correctable,
          "aria-describedby": answer.training ? why.id : null,
          onchange: () => (choice.value = answer.assignment),
        }),
        h("span", { class: "about", dir: "auto" }, answerName(answer)),
        " ",
        h("time", {}, new Date(answer.submitted).toLocaleString()),
        answer.training ? h("span", { class: "faint" }, " (training)") : null,
      ),
    ),
  );
  const anyCorrectable = sorted.some((answer) => answer.correctable);
  return {
    title: "My answers",
    body: [
      sorted.length ? h("ul", { class: "mine" }, rows) : h("p", {}, "None yet."),
      sorted.some((answer) => answer.training) ? why : null,
    ],
    actions: [
      ...(anyCorrectable ? [["Correct the chosen one", () => choice.value, true, () => choice.value !== null]] : []),
      ["Close", null],
    ],
  };
}
