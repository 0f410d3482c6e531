// Step 4 of the union page: the merged sentence, with remarks on missing and superfluous words.

import { fill, h, unique } from "../../core/dom.js";
import { Marker } from "../../core/marker.js";
import { indicesWithin, missingWords, pieces, vocabulary, words } from "../../core/text.js";
import { baseView, legend } from "./highlight.js";

const WRITTEN = "✓ Everything highlighted is written in.";
const NOTHING = "Nothing is highlighted: the base says it all.";

export function drawWrite(page, body) {
  page.heading.textContent = "Step 4: Write the merged sentence";
  const views = page.others.map((id) => highlightView(page, id));
  const status = h("div", { id: unique("state"), role: "status" });
  const preview = h("p", { class: "reading", dir: "auto", "aria-hidden": "true" });
  const area = h("textarea", {
    id: unique("merged"),
    class: "reading",
    rows: 3,
    dir: "auto",
    value: page.merged,
    readOnly: page.readonly,
    spellcheck: "true",
    "aria-describedby": status.id,
  });
  const refresh = () => {
    views.forEach((view) => view.refresh());
    fill(status, statusLines(page));
    fill(preview, markOrigins(page));
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  };
  area.addEventListener("input", () => {
    page.work.merged = area.value;
    refresh();
    page.changed("typing");
  });
  body.append(
    h(
      "p",
      {},
      "Work the highlighted words into the base sentence, and drop what they make superfluous: ",
      "one sentence that says everything, once.",
    ),
    page.dateNode() ?? "",
    page.card(page.base, baseView(page).node, `${page.name(page.base)} (base)`),
    ...page.others.map((id, index) => page.card(id, views[index].node)),
    h("label", { for: area.id }, h("strong", {}, "Merged sentence")),
    area,
    status,
    h("section", { class: "card" }, h("h3", {}, "What came from where"), preview),
    legend(
      ["on", "highlighted, not written in yet"],
      ["on green", "highlighted, written in"],
      ["again", "also in another sentence (in a box where highlighted)"],
      ["unknown", "neither in the base nor highlighted"],
    ),
  );
  requestAnimationFrame(refresh);
}

function highlightView(page, id) {
  const text = page.sentences.get(id);
  const base = vocabulary(page.sentences.get(page.base));
  return new Marker({
    text,
    label: page.name(id),
    chosen: indicesWithin(words(text), page.spans(id)),
    readonly: true,
    describe: (index, { words: all, chosen }) => {
      if (!chosen.has(index)) return null;
      const word = all[index].text;
      const isWritten = vocabulary(page.merged).has(word);
      const isInBase = base.has(word);
      const signs = [
        ["green", "written in", isWritten],
        ["yellow", "not written in yet", !isWritten],
        ["again", "also in the base sentence", isInBase],
      ].filter(([, , applies]) => applies);
      const label = signs.map(([, label]) => label).join(", ");
      return { classes: signs.map(([name]) => name), label };
    },
  });
}

function markOrigins(page) {
  const base = vocabulary(page.sentences.get(page.base));
  const marked = page.highlightedVocabulary();
  return pieces(page.merged).map(({ text, word }) => {
    if (word === null || base.has(text)) return text;
    return h("span", { class: marked.has(text) ? "word on green" : "word unknown" }, text);
  });
}

function statusLines(page) {
  const base = page.sentences.get(page.base);
  const unwritten = page.unwrittenWords();
  const added = missingWords(page.merged, [base, ...page.highlightedWords()].join(" "));
  const dropped = missingWords(base, page.merged);
  return [
    unwritten.length
      ? h("p", { class: "left" }, h("strong", {}, "Still to write in: "), unwritten.join(", "))
      : h("p", { class: "left" }, page.highlightedWords().length ? WRITTEN : NOTHING),
    added.length
      ? h(
          "p",
          { class: "added" },
          h("strong", {}, "⚠ Neither in the base nor highlighted: "),
          `${added.join(", ")}. Are these words needed?`,
        )
      : null,
    dropped.length
      ? h("p", { class: "dropped faint" }, `Taken out of the base: ${dropped.join(", ")}`)
      : null,
  ];
}
