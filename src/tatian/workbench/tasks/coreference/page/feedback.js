// Training on the coreference page: the right markup beside one's own, and each difference in words.
//
//   compareMarkup(root, page, {gold, answer, differences, minima, score, note})

import { h } from "../../core/dom.js";
import { Markup, stateOf } from "./model.js";
import { TextView } from "./text.js";

export function compareMarkup(root, page, { gold, answer, differences, minima = [], score, note }) {
  const lines = [...differences.map(described), ...minima.map(least)];
  root.append(h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`));
  if (note) root.append(h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note));
  root.append(
    h("section", { class: "card differences" },
      h("h3", {}, "From yours to ours"),
      lines.length
        ? h("ul", {}, lines)
        : h("p", {}, "No difference.")),
    h("div", { class: "beside" }, view("Yours", page, answer), view("Ours", page, gold)),
  );
}

function described({ name, meaning, gold, own }) {
  const quoted = (phrases) => phrases.map((phrase) => `“${phrase}”`).join(", ");
  const sides = [own.length ? `yours: ${quoted(own)}` : "", gold.length ? `ours: ${quoted(gold)}` : ""];
  return h("li", {},
    h("strong", {}, name), ` (${meaning}): `,
    h("bdi", {}, sides.filter(Boolean).join("; ")));
}

// The score does not count it, so it is only remarked on.
function least({ phrase, gold, own }) {
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
