// Differences between two texts, word by word.
//
//   compare(before, after)   [{kind: "same" | "removed" | "added", text}]: the whole of both texts;
//                            words that only `before` has are removed, only `after` has are added
//   shown(before, after, {removed, added})  the same as DOM: <del> and <ins> with a label for
//                            screen readers; pass null as a label to leave that kind out

import { h } from "./dom.js";
import { folded, pieces, words } from "./text.js";

const MOST = 2_000_000;

export function compare(before, after) {
  const a = split(before);
  const b = split(after);
  const kept = common(a, b);
  const found = [];
  let i = 0;
  let j = 0;
  for (const [left, right] of [...kept, [a.length, b.length]]) {
    while (i < left) add(found, "removed", a[i++]);
    while (j < right) add(found, "added", b[j++]);
    if (j < b.length) add(found, "same", b[j]);
    i += 1;
    j += 1;
  }
  return found;
}

export function shown(before, after, labels = { removed: "missing", added: "added" }) {
  const nodes = [];
  const parts = compare(before, after).filter(({ kind }) => kind === "same" || labels[kind]);
  parts.forEach(({ kind, text }, index) => {
    if (kind === "same") {
      nodes.push(text);
      return;
    }
    if (kind === "removed" && joined(nodes.at(-1))) nodes.push(" ");
    const space = /^[\p{L}\p{N}\p{Ps}\p{Pi}]/u.test(parts[index + 1]?.text ?? "") ? " " : "";
    nodes.push(...labelled(kind, labels[kind], text, space));
  });
  return nodes;
}

function labelled(kind, label, text, space) {
  const body = text.trimEnd();
  const hidden = (words) => h("span", { class: "unseen" }, words);
  const tag = kind === "removed" ? "del" : "ins";
  return [
    h(tag, { title: label }, hidden(`[${label}: `), body, hidden("]")),
    text.slice(body.length) || space,
  ];
}

// Whether the other text's words would follow without a space: they were not written for this place.
function joined(before) {
  return before !== undefined && !/[\s\p{Ps}\p{Pi}]$/u.test(before);
}

// Words and signs, each with the space that follows it; space before the first belongs to it.
function split(text) {
  const units = [];
  let lead = "";
  for (const piece of pieces(text, words(text))) {
    const parts = piece.word === null ? piece.text.match(/\s+|\S/gu) : [piece.text];
    for (const part of parts) {
      if (part.trim()) {
        units.push({ text: lead + part, form: folded(part) });
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
function common(a, b) {
  if (a.length * b.length > MOST) return [];
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

function add(found, kind, unit) {
  const last = found.at(-1);
  if (last && last.kind === kind) last.text += unit.text;
  else found.push({ kind, text: unit.text });
}
