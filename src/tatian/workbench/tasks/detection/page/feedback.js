// Feedback of the detection page: the person's links beside the right ones, term by term.
//
//   compareLinks(root, text, own, {gold: {mentions}, note, score})

import { h } from "../../core/dom.js";
import { scoreLines, tableHead } from "../../core/feedback.js";
import { articleLink } from "./list.js";
import { Picker } from "./picker.js";
import { isSamePlace, linksByWord } from "./rules.js";

export function compareLinks(root, text, own, { gold, note, score }) {
  root.append(...scoreLines(score, note));
  const right = gold.mentions || [];
  root.append(goldView(text, right));
  const places = [...own, ...right]
    .filter((link, index, all) => all.findIndex((other) => isSamePlace(link, other)) === index)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  if (!places.length) {
    root.append(h("p", {}, "There is nothing to link in this text."));
    return;
  }
  root.append(h("table", { class: "compared" },
    h("caption", { class: "unseen" }, "Your links and ours"),
    tableHead(["Term", "You", "We"]),
    h("tbody", {}, places.map((place) => row(text, place, own, right)))));
}

function row(text, place, own, right) {
  const titles = (links) => links.filter((link) => isSamePlace(link, place)).map(({ title }) => title);
  const [ownTitles, goldTitles] = [titles(own), titles(right)];
  const isRight = ownTitles.length > 0 && ownTitles.every((title) => goldTitles.includes(title));
  const verdict = isRight ? "as ours" : ownTitles.length && goldTitles.length ? "another page" : ownTitles.length ? "we did not link it" : "you did not link it";
  const listed = (titles) => (titles.length ? titles.map((title) => h("div", {}, articleLink(title))) : "–");
  return h("tr", { class: isRight ? "right" : "wrong" },
    h("th", { scope: "row" }, h("bdi", {}, text.part(place.start, place.end))),
    h("td", {}, listed(ownTitles), h("span", { class: "sign" }, ` (${verdict})`)),
    h("td", {}, listed(goldTitles)));
}

function goldView(text, mentions) {
  const { links, joined } = linksByWord(text.units, mentions);
  const view = new Picker({
    text: text.text,
    label: "The text with our links",
    readonly: true,
    describe: (index) => {
      const wordLinks = links.get(index);
      return wordLinks ? { classes: ["linked"], label: wordLinks.map(({ title }) => title).join(", ") } : null;
    },
  });
  view.joined = joined;
  view.refresh();
  return h("section", { class: "card detection" }, h("h3", {}, "Our links"), view.node);
}
