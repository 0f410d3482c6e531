// Step 4 of the union page: the merged sentence, and what it still lacks or should not have.

import { fill, h, unique } from "../../core/dom.js";
import { Marker } from "../../core/marker.js";
import { pieces, unlike, vocabulary, within, words } from "../../core/text.js";
import { baseView, legend } from "./highlight.js";

const WRITTEN = "✓ Everything highlighted is written in.";
const NOTHING = "Nothing is highlighted: the base says it all.";

export function drawWrite(page, body) {
  page.heading.textContent = "Step 4: Write the merged sentence";
  const views = page.others.map((id) => integrated(page, id));
  const state = h("div", { id: unique("state"), role: "status" });
  const preview = h("p", { class: "reading", dir: "auto", "aria-hidden": "true" });
  const area = h("textarea", {
    id: unique("merged"),
    class: "reading",
    rows: 3,
    dir: "auto",
    value: page.merged,
    readOnly: page.readonly,
    spellcheck: "true",
    "aria-describedby": state.id,
  });
  const refresh = () => {
    views.forEach((view) => view.refresh());
    fill(state, report(page));
    fill(preview, origins(page));
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
    page.date() ?? "",
    page.card(page.base, baseView(page).node, `${page.name(page.base)} (base)`),
    ...page.others.map((id, index) => page.card(id, views[index].node)),
    h("label", { for: area.id }, h("strong", {}, "Merged sentence")),
    area,
    state,
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

function integrated(page, id) {
  const text = page.sentences.get(id);
  const base = vocabulary(page.sentences.get(page.base));
  return new Marker({
    text,
    label: page.name(id),
    chosen: within(words(text), page.spans(id)),
    readonly: true,
    describe: (index, { words: all, chosen }) => {
      if (!chosen.has(index)) return null;
      const word = all[index].text;
      const there = vocabulary(page.merged).has(word);
      const again = base.has(word);
      const signs = [
        ["green", "written in", there],
        ["yellow", "not written in yet", !there],
        ["again", "also in the base sentence", again],
      ].filter(([, , holds]) => holds);
      const label = signs.map(([, say]) => say).join(", ");
      return { classes: signs.map(([name]) => name), label };
    },
  });
}

function origins(page) {
  const base = vocabulary(page.sentences.get(page.base));
  const marked = page.marked();
  return pieces(page.merged).map(({ text, word }) => {
    if (word === null || base.has(text)) return text;
    return h("span", { class: marked.has(text) ? "word on green" : "word unknown" }, text);
  });
}

function report(page) {
  const base = page.sentences.get(page.base);
  const left = page.yellow();
  const added = unlike(page.merged, [base, ...page.highlighted()].join(" "));
  const dropped = unlike(base, page.merged);
  return [
    left.length
      ? h("p", { class: "left" }, h("strong", {}, "Still to write in: "), left.join(", "))
      : h("p", { class: "left" }, page.highlighted().length ? WRITTEN : NOTHING),
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
