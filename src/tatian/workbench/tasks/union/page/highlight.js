// Step 3 of the union page: highlight words that are new or more specific.

import { h } from "../../core/dom.js";
import { Marker } from "../../core/marker.js";
import { indicesWithin, vocabulary, words } from "../../core/text.js";

export function drawHighlight(page, body) {
  page.heading.textContent = "Step 3: Highlight what is new";
  const base = baseView(page);
  const count = h("p", { role: "status", class: "faint" });
  const markers = page.others.map((id) => buildMarker(page, id, () => refresh()));
  const refresh = () => {
    base.refresh();
    markers.forEach((marker) => marker.refresh());
    const total = markers.reduce((sum, marker) => sum + marker.chosen.size, 0);
    count.textContent = total
      ? `Words highlighted: ${total}.`
      : "Nothing highlighted. If the base says all of it already, go on.";
  };
  body.append(
    h(
      "p",
      {},
      "Choose the words that the base lacks, or says less exactly. Click, tap or drag; ",
      "with the keyboard use the arrows and Space.",
    ),
    page.card(page.base, base.node, `${page.name(page.base)} (base)`),
    ...page.others.map((id, index) => page.card(id, markers[index].node)),
    count,
    legend(["on", "highlighted"], ["again", "also in another sentence: do not say it twice"]),
  );
  refresh();
}

function buildMarker(page, id, refresh) {
  const text = page.sentences.get(id);
  const base = vocabulary(page.sentences.get(page.base));
  const marker = new Marker({
    text,
    label: `${page.name(id)}: choose the words that are new or more specific`,
    chosen: indicesWithin(words(text), page.spans(id)),
    readonly: page.readonly,
    describe: (index, { words: all, chosen }) =>
      chosen.has(index) && base.has(all[index].text)
        ? { classes: ["again"], label: "also in the base sentence" }
        : null,
    onchange: () => {
      page.setHighlights(id, marker.spans());
      refresh();
      page.changed();
    },
  });
  return marker;
}

export function baseView(page) {
  return new Marker({
    text: page.sentences.get(page.base),
    label: "The base sentence",
    readonly: true,
    describe: (index, { words: all }) =>
      page.highlightedVocabulary().has(all[index].text)
        ? { classes: ["again"], label: "also highlighted" }
        : null,
  });
}

export function legend(...entries) {
  const items = entries.map(([classes, text]) =>
    h("li", {}, h("span", { class: `word ${classes}`, "aria-hidden": "true" }, "word"), ` ${text}`),
  );
  return h("ul", { class: "legend" }, items);
}
