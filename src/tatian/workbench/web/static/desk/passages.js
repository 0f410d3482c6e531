// A verified sentence: the words without support, and the passages behind the verdict.
//
//   verdictParts(sentence, characters, accounts)   nodes: the sentence with a badge for each
//     source with evidence, the verdict, the passages. A badge opens the passages of its source;
//     contradicting ones are open. `characters` are those of the text to which the offsets
//     refer; accounts.place(id) is a source's index, accounts.named(id) its name.

import { button, fill, h, unique } from "../core/dom.js";
import { letter, mark, verdict } from "./wording.js";

const STANCES = { for: "says so", against: "says otherwise", near: "comes nearest" };

export function verdictParts({ start, end, verdict: name, why, unsupported, passages = [] }, characters, accounts) {
  const part = (from, to) => characters.slice(from, to).join("");
  const pieces = [];
  let at = start;
  for (const [from, to] of [...unsupported].sort(([one], [other]) => one - other)) {
    pieces.push(part(at, from), h("mark", { class: `doubt verdict-${name}` }, part(from, to)));
    at = to;
  }
  pieces.push(part(at, end));
  const list = h("div", { id: unique("passages"), class: "passages" });
  const near = passages.filter(({ stance }) => stance === "near");
  const withEvidence = [...new Set(passages.filter(({ stance }) => stance !== "near").map(({ account }) => account))];
  const open = new Set(passages.filter(({ stance }) => stance === "against").map(({ account }) => account));
  const draw = () => {
    const shown = passages.filter(({ account, stance }) => open.has(stance === "near" ? "near" : account));
    fill(list, shown.map((item) => passage(item, accounts)));
    for (const [key, node] of controls) node.setAttribute("aria-expanded", String(open.has(key)));
  };
  const toggle = (key) => {
    if (!open.delete(key)) open.add(key);
    draw();
  };
  const shows = { "aria-expanded": "false", "aria-controls": list.id };
  const badges = withEvidence
    .sort((one, other) => accounts.place(one) - accounts.place(other))
    .map((account) => {
      const label = `${letter(accounts.place(account))}, ${accounts.named(account)}: show the passage`;
      return [account, button(mark(accounts.place(account)), () => toggle(account), { class: "badge", "aria-label": label, title: accounts.named(account), ...shows })];
    });
  const nearest = near.length ? [["near", button("Nearest passages", () => toggle("near"), { class: "plain nearest", ...shows })]] : [];
  const controls = [...badges, ...nearest];
  draw();
  return [
    h("p", { class: "reading", dir: "auto" }, pieces, " ", badges.map(([, node]) => [node, " "])),
    h("p", { class: "says" }, verdict(name), name !== "supported" && why ? h("span", { class: "faint" }, `: ${why}`) : "", nearest.map(([, node]) => [" ", node])),
    list,
  ];
}

function passage({ account, stance, before, text, after, supporting, opposing }, accounts) {
  const characters = [...text.replace(/\s/gu, " ")];
  const runs = [...supporting.map((run) => [...run, "supporting"]), ...opposing.map((run) => [...run, "opposing"])];
  const pieces = [];
  let at = 0;
  for (const [from, to, name] of runs.sort(([one], [other]) => one - other)) {
    if (from < at) continue;
    pieces.push(characters.slice(at, from).join(""), h("mark", { class: name }, characters.slice(from, to).join("")));
    at = to;
  }
  pieces.push(characters.slice(at).join(""));
  return h(
    "blockquote",
    { class: `passage ${stance}` },
    h("p", { class: "who-says" }, mark(accounts.place(account)), " ", h("bdi", { class: "who" }, accounts.named(account)), ` ${STANCES[stance]}:`),
    h("p", { class: "reading", dir: "auto" }, h("span", { class: "faint" }, oneLine(before)), " ", pieces, " ", h("span", { class: "faint" }, oneLine(after))),
  );
}

function oneLine(text) {
  return text.replace(/\s+/gu, " ");
}
