// Differences between two texts, word by word.
//
//   diffWords(before, after)    [{kind: "same" | "removed" | "added", text}], both texts in full
//   renderDiff(before, after, {removed, added})   the same as nodes: <del> and <ins>, with a label
//                               for screen readers; a label of null leaves that kind out

import { h } from "./dom.js";
import { fold, pieces, words } from "./text.js";

const MOST_CELLS = 2_000_000; // Size of the table; larger texts count as entirely different.

export function diffWords(before, after) {
  const a = splitUnits(before);
  const b = splitUnits(after);
  const pairs = longestCommon(a, b);
  const parts = [];
  let i = 0;
  let j = 0;
  for (const [left, right] of [...pairs, [a.length, b.length]]) {
    while (i < left) addUnit(parts, "removed", a[i++]);
    while (j < right) addUnit(parts, "added", b[j++]);
    if (j < b.length) addUnit(parts, "same", b[j]);
    i += 1;
    j += 1;
  }
  return parts;
}

export function renderDiff(before, after, labels = { removed: "missing", added: "added" }) {
  const nodes = [];
  const parts = diffWords(before, after).filter(({ kind }) => kind === "same" || labels[kind]);
  parts.forEach(({ kind, text }, index) => {
    if (kind === "same") {
      nodes.push(text);
      return;
    }
    if (kind === "removed" && needsSpace(nodes.at(-1))) nodes.push(" ");
    const space = /^[\p{L}\p{N}\p{Ps}\p{Pi}]/u.test(parts[index + 1]?.text ?? "") ? " " : "";
    nodes.push(...renderChange(kind, labels[kind], text, space));
  });
  return nodes;
}

function renderChange(kind, label, text, space) {
  const body = text.trimEnd();
  const hidden = (words) => h("span", { class: "unseen" }, words);
  const tag = kind === "removed" ? "del" : "ins";
  return [
    h(tag, { title: label }, hidden(`[${label}: `), body, hidden("]")),
    text.slice(body.length) || space,
  ];
}

// Return whether words of the other text need a space before them.
function needsSpace(before) {
  return before !== undefined && !/[\s\p{Ps}\p{Pi}]$/u.test(before);
}

// Words and signs with the space after them; the first also has the space before it.
function splitUnits(text) {
  const units = [];
  let lead = "";
  for (const piece of pieces(text, words(text))) {
    const parts = piece.word === null ? piece.text.match(/\s+|\S/gu) : [piece.text];
    for (const part of parts) {
      if (part.trim()) {
        units.push({ text: lead + part, form: fold(part) });
        lead = "";
      } else if (units.length) {
        units.at(-1).text += part;
      } else {
        lead = part;
      }
    }
  }
  if (lead) units.push({ text: lead, form: lead });
  return units;
}

// Pairs of indices of a longest common subsequence.
function longestCommon(a, b) {
  if (a.length * b.length > MOST_CELLS) return [];
  const width = b.length + 1;
  const best = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      best[i * width + j] =
        a[i].form === b[j].form
          ? best[(i + 1) * width + j + 1] + 1
          : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const pairs = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i].form === b[j].form) pairs.push([i++, j++]);
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

function addUnit(parts, kind, unit) {
  const last = parts.at(-1);
  if (last && last.kind === kind) last.text += unit.text;
  else parts.push({ kind, text: unit.text });
}
