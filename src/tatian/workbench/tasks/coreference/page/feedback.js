// Feedback of the coreference page: the right markup beside the person's, and each difference in words.
//
//   compareMarkup(root, page, {gold, answer, differences, minima, score, note})

import { h } from "../../core/dom.js";
import { scoreLines } from "../../core/feedback.js";
import { Markup, stateOf } from "./model.js";
import { TextView } from "./text.js";

export function compareMarkup(root, page, { gold, answer, differences, minima = [], score, note }) {
  const lines = [...differences.map(describeDifference), ...minima.map(describeMinimum)];
  root.append(...scoreLines(score, note));
  root.append(
    h("section", { class: "card differences" },
      h("h3", {}, "From yours to ours"),
      lines.length
        ? h("ul", {}, lines)
        : h("p", {}, "No difference.")),
    h("div", { class: "beside" }, view("Yours", page, answer), view("Ours", page, gold)),
  );
}

function describeDifference({ name, meaning, gold, own }) {
  const quoted = (phrases) => phrases.map((phrase) => `“${phrase}”`).join(", ");
  const sides = [own.length ? `yours: ${quoted(own)}` : "", gold.length ? `ours: ${quoted(gold)}` : ""];
  return h("li", {},
    h("strong", {}, name), ` (${meaning}): `,
    h("bdi", {}, sides.filter(Boolean).join("; ")));
}

// A different MIN, which the score does not count.
function describeMinimum({ phrase, gold, own }) {
  const quoted = (minimum) => (minimum === null ? "the whole phrase" : `“${minimum}”`);
  return h("li", { class: "minimum" },
    "MIN of ", h("bdi", {}, `“${phrase}”`), ": yours ", h("bdi", {}, quoted(own)),
    ", ours ", h("bdi", {}, quoted(gold)), " (not counted)");
}

function view(title, page, answer) {
  const markup = new Markup(page.words);
  markup.load(stateOf(answer));
  const text = new TextView({
    content: page.content,
    words: page.words,
    markup,
    label: `${title}: the text with its chains`,
    readonly: true,
  });
  return h("section", { class: `card ${title === "Ours" ? "gold" : "own"}` }, h("h3", {}, title), text.node);
}
