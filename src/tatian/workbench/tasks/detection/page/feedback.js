// Training on the detection page: one's own links beside the right ones, term by term.
//
//   compareLinks(root, text, own, {gold: {mentions}, note, score})

import { h } from "../../core/dom.js";
import { article } from "./list.js";
import { Picker } from "./picker.js";
import { inWords, same } from "./rules.js";

export function compareLinks(root, text, own, { gold, note, score }) {
  root.append(h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`));
  if (note) root.append(h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note));
  const right = gold.mentions || [];
  root.append(marked(text, right));
  const places = [...own, ...right]
    .filter((one, index, all) => all.findIndex((other) => same(one, other)) === index)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  if (!places.length) {
    root.append(h("p", {}, "There is nothing to link in this text."));
    return;
  }
  const heads = ["Term", "You", "We"].map((head) => h("th", { scope: "col" }, head));
  root.append(h("table", { class: "compared" },
    h("caption", { class: "unseen" }, "Your links and ours"),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, places.map((place) => row(text, place, own, right)))));
}

function row(text, place, own, right) {
  const titles = (links) => links.filter((one) => same(one, place)).map(({ title }) => title);
  const [mine, ours] = [titles(own), titles(right)];
  const good = mine.length > 0 && mine.every((title) => ours.includes(title));
  const sign = good ? "as ours" : mine.length && ours.length ? "another page" : mine.length ? "we did not link it" : "you did not link it";
  const listed = (found) => (found.length ? found.map((title) => h("div", {}, article(title))) : "–");
  return h("tr", { class: good ? "right" : "wrong" },
    h("th", { scope: "row" }, h("bdi", {}, text.part(place.start, place.end))),
    h("td", {}, listed(mine), h("span", { class: "sign" }, ` (${sign})`)),
    h("td", {}, listed(ours)));
}

function marked(text, mentions) {
  const { links, joined } = inWords(text.units, mentions);
  const view = new Picker({
    text: text.text,
    label: "The text with our links",
    readonly: true,
    describe: (index) => {
      const here = links.get(index);
      return here ? { classes: ["linked"], label: here.map(({ title }) => title).join(", ") } : null;
    },
  });
  view.joined = joined;
  view.refresh();
  return h("section", { class: "card detection" }, h("h3", {}, "Our links"), view.node);
}
