// Words for numbers, times and outcomes; letters, colours and names of sources.
//
//   count(number, noun)      "1,204 words"
//   changes(before, after)   "3 sentences left out, 1 moved"
//   modelsShare(consolidation)   the contribution of a language model, and its judge
//   sentence(text)           with a capital and a full stop
//   ago(milliseconds)        <time> "5 minutes ago"
//   day("1937-05-08")        "May 8, 1937"
//   letter(index)            A to Z, then AA, AB, as in downloads
//   colour(index)            the class that gives a source its colour
//   mark(index)              its letter in its colour
//   named(index, account)    its letter and its name
//   VERDICTS                 [sign, words] for each verdict of the trace
//   verdict(name)            a sign with its words
//   nameOf(account)          its name

import { h } from "../core/dom.js";

const SERIES = 8;
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export const VERDICTS = {
  supported: ["✓", "The sources say so"],
  partly: ["◐", "The sources say part of it"],
  contradicted: ["✗", "A source says otherwise"],
  unsupported: ["○", "No source says so"],
  unknown: ["?", "Cannot be checked"],
  failed: ["?", "Could not be checked"],
  waiting: ["…", "Being checked"],
};

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

export function changes(before, after) {
  const index = new Map(before.map(({ id }, at) => [id, at]));
  const kept = after.filter(({ id }) => index.has(id)).map(({ id }) => index.get(id));
  const [out, added, moved] = [before.length - kept.length, after.length - kept.length, kept.length - inOrder(kept)];
  const parts = [[out, "left out"], [added, "added"], [moved, "moved"]].filter(([number]) => number);
  return parts.map(([number, what], at) => `${at ? number.toLocaleString("en") : count(number, "sentence")} ${what}`).join(", ");
}

// The length of the longest increasing subsequence.
function inOrder(numbers) {
  const ends = []; // The smallest last number of the subsequences of each length.
  for (const number of numbers) {
    const at = ends.findIndex((end) => end > number);
    ends[at < 0 ? ends.length : at] = number;
  }
  return ends.length;
}

export function modelsShare({ sentences, writing }) {
  const worded = sentences.filter(({ model }) => model).length;
  const role = writing?.role || "writer";
  const name = writing?.model || "a language model";
  const words = worded ? `${count(worded, "sentence")} ${role === "writer" ? "worded" : "merged"} by ${name}` : "";
  const order = role === "editor" ? `the order is by ${name}` : "";
  const judge = worded && writing?.judge ? ` (judge: ${writing.judge})` : "";
  return words || order ? ` ${sentence([words + judge, order].filter(Boolean).join("; "))}` : "";
}

export function sentence(text) {
  const trimmed = text.trim();
  return trimmed && trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?…]$/.test(trimmed) ? "" : ".");
}

export function ago(milliseconds) {
  const past = Date.now() - milliseconds;
  const moment = new Date(milliseconds);
  const [unit, size] = UNITS.find(([, length]) => past >= length) || [];
  const words = !unit ? "just now" : past > 30 * UNITS[0][1]
    ? `on ${moment.toLocaleDateString("en", { dateStyle: "long" })}`
    : `${count(Math.floor(past / size), unit)} ago`;
  return h("time", { datetime: moment.toISOString(), title: moment.toLocaleString("en") }, words);
}

export function day(stated) {
  const moment = new Date(`${stated}T00:00Z`);
  return stated && !Number.isNaN(moment.getTime()) ? moment.toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" }) : stated;
}

export function letter(index) {
  const before = Math.floor(index / 26);
  return (before ? letter(before - 1) : "") + String.fromCharCode(65 + (index % 26));
}

export function tint(index) {
  return index < SERIES ? String(index) : "n";
}

export function colour(index) {
  return `c${tint(index)}`;
}

export function mark(index) {
  return h("b", { class: `mark ${colour(index)}` }, letter(index));
}

export function nameOf({ source, title, file, id }) {
  return source || title || file || id;
}

export function named(index, account) {
  return [mark(index), " ", h("bdi", { class: "who" }, nameOf(account))];
}

export function verdict(name) {
  const [sign, words] = VERDICTS[name] || VERDICTS.unknown;
  return h("span", { class: `verdict-${name}` }, h("span", { "aria-hidden": "true" }, `${sign} `), words);
}
