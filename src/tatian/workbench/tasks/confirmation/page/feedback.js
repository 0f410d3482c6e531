// Training on the confirmation page: one's own verdicts beside the right ones.
//
//   compareVerdicts(root, content, verdicts, {gold: [{confirmed, why}], note, score})

import { h } from "../../core/dom.js";
import { article } from "../mentions.detect/list.js";

export function compareVerdicts(root, { text, candidates }, verdicts, { gold, note, score }) {
  const points = [...text];
  const heads = ["Term and page", "You", "We"].map((head) => h("th", { scope: "col" }, head));
  const rows = candidates.map((one, index) => {
    const { confirmed, why } = gold[index] || {};
    const right = verdicts[index] === confirmed;
    return h("tr", { class: right ? "right" : "wrong" },
      h("th", { scope: "row" }, h("bdi", {}, points.slice(one.start, one.end).join("")), " → ", article(one.title)),
      h("td", {}, said(verdicts[index]), h("span", { class: "sign" }, right ? " (as ours)" : " (not as ours)")),
      h("td", {}, said(confirmed), why ? h("div", { class: "about", dir: "auto" }, why) : null));
  });
  root.append(
    h("p", {}, `Agreement with ours: ${Math.round(score * 100)} of 100.`),
    ...(note ? [h("p", { class: "note", dir: "auto" }, h("strong", {}, "Why: "), note)] : []),
    h("p", { class: "reading", dir: "auto" }, text),
    h("table", { class: "compared" },
      h("caption", { class: "unseen" }, "Your verdicts and ours"),
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, rows)),
  );
}

function said(verdict) {
  return verdict ? "Yes" : "No";
}
