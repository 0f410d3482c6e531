// Skip a set of sentences that has no sensible union, with one of the reasons of App. A.

import { h, unique } from "../../core/dom.js";

export const REASONS = {
  "no-consolidation": [
    "Nothing to consolidate",
    "They share nothing: a union would only put one after the other.",
  ],
  unnatural: [
    "The union would be unnatural",
    "Whatever you try, the one sentence is awkward: tenses or points in time do not go together.",
  ],
  "missing-context": [
    "Context is missing",
    "You would have to know who or what is meant, and the sentences do not say.",
  ],
  disagreement: ["They disagree", "Both cannot be true: numbers, names or facts contradict."],
};

export function drawSkip(page, body) {
  page.heading.textContent = "Skip these sentences";
  const group = unique("reason");
  const reasons = Object.entries(REASONS).map(([reason, [title, why]]) =>
    h(
      "label",
      { class: "card" },
      h("input", {
        type: "radio",
        name: group,
        value: reason,
        checked: page.skip.reason === reason,
        disabled: page.readonly,
        onchange: () => {
          page.skip.reason = reason;
          page.changed();
        },
      }),
      h("strong", {}, ` ${title}. `),
      why,
    ),
  );
  const note = h("textarea", {
    rows: 2,
    dir: "auto",
    value: page.skip.note,
    readOnly: page.readonly,
    oninput: () => {
      page.skip.note = note.value;
      page.changed("typing");
    },
  });
  body.append(
    ...page.order.map((id) => page.card(id, page.sentenceNode(id))),
    h("fieldset", {}, h("legend", {}, "Why is there no sensible union?"), reasons),
    h("label", {}, "A note, if you like", note),
  );
}
