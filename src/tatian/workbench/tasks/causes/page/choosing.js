// One choice for each question about some texts.
//
// The draft is the answer: {chosen: {question: choice or ""}, note}. `content` has `texts`
// [{title, text}], `groups` [{title, text, questions: [{name, title}]}] and `choices`
// [{name, meaning}].

import { h, unique } from "../../core/dom.js";
import { direction } from "../../core/direction.js";
import { scoreLines, tableHead } from "../../core/feedback.js";

export const style = "../union.judge/judging.css";

const KEYS = [
  ["Tab", "Next question"],
  ["↑ ↓", "Another choice"],
  ["Ctrl Enter", "Submit"],
];

export function stateOf(answer) {
  return answer;
}

export function mount(root, { content, state, readonly = false }, context) {
  const fields = new Map();
  const groups = content.groups.map((group) => buildGroup(group, content.choices, fields, readonly, context));
  const note = h("textarea", {
    rows: 2, dir: "auto", readOnly: readonly, maxlength: 2000, oninput: () => context.changed("typing"),
  });
  const restore = (draft) => {
    for (const [name, field] of fields) field.value = draft?.chosen?.[name] ?? "";
    const noteText = draft?.note ?? "";
    if (note.value !== noteText) note.value = noteText;
  };
  const currentAnswer = () => ({
    chosen: Object.fromEntries([...fields].map(([name, field]) => [name, field.value])),
    note: note.value,
  });
  root.append(h("div", { class: "judging choosing" },
    content.texts.map(({ title, text }) => card(title, text)),
    choiceMeanings(content.choices),
    groups,
    h("div", { class: "also" }, h("label", {}, "Note (if you like)", note))));
  restore(state);
  return {
    help: KEYS,
    state: currentAnswer,
    restore,
    answer: currentAnswer,
    problems: () => openQuestions(content.groups, fields),
    feedback: (space, feedback) => renderFeedback(space, feedback),
  };
}

function card(title, text) {
  return h("section", { class: "card" },
    title ? h("h3", {}, title) : null,
    h("p", { class: "reading", dir: direction(text) }, text));
}

function choiceMeanings(choices) {
  return h("details", { class: "sources" },
    h("summary", {}, "What the choices mean"),
    h("dl", {}, choices.map(({ name, meaning }) => [h("dt", {}, name), h("dd", {}, meaning)])));
}

function buildGroup({ title, text, questions }, choices, fields, readonly, context) {
  const rows = questions.map((question) => {
    const id = unique("question");
    const options = [h("option", { value: "" }, "Choose …"),
      choices.map(({ name }) => h("option", { value: name }, name))];
    const field = h("select", { id, disabled: readonly, onchange: () => context.changed() }, options);
    fields.set(question.name, field);
    return h("p", { class: "question" }, h("label", { for: id }, question.title), field);
  });
  if (!title) return h("section", { class: "card" }, rows);
  const heading = unique("group");
  return h("section", { class: "card", "aria-labelledby": heading },
    h("h3", { id: heading }, title),
    h("p", { class: "reading", dir: direction(text) }, text),
    rows);
}

function openQuestions(groups, fields) {
  return groups.flatMap(({ title, questions }) =>
    questions
      .filter(({ name }) => !fields.get(name).value)
      .map((question) => (title ? `${title}: ${question.title}` : question.title)));
}

function renderFeedback(space, { rows, note, score }) {
  space.append(...scoreLines(score, note, "As we chose"));
  const row = ({ question, own, gold }) =>
    h("tr", { class: own === gold ? "right" : "wrong" },
      h("th", { scope: "row", dir: "auto" }, question), h("td", {}, own), h("td", {}, gold));
  space.append(h("table", { class: "ratings" }, tableHead(["Question", "You", "We"]), h("tbody", {}, rows.map(row))));
}
