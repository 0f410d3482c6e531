// Add the items of a file: preview the first on the task's own page, then add all. The file stays in
// the browser, so that column names can be corrected without choosing it again.

import { Api, Offline, Problem } from "../core/api.js";
import { fill, h, loadStyle } from "../core/dom.js";

const form = document.getElementById("adding");
const { address, module, csrf, done } = form.dataset;
const api = new Api(csrf);
const problemList = form.querySelector(".problems");
const summary = document.getElementById("seen");
const preview = document.getElementById("preview");
const addButton = document.getElementById("add");
const refuse = async () => {
  throw new Offline("this is a preview");
};
let page = null;

function chosenContent() {
  const file = form.elements.file.files[0];
  if (file) return { name: file.name, data: file };
  const text = form.elements.pasted.value;
  if (!text.trim()) return null;
  const name = text.trimStart().startsWith("{") ? "pasted.jsonl" : "pasted.csv";
  return { name, data: new Blob([text]) };
}

function query(name) {
  const { place, columns } = form.elements;
  return new URLSearchParams({ name, place: place.value, columns: columns.value });
}

function showProblem(error) {
  const isExpected = error instanceof Problem || error instanceof Offline;
  if (!isExpected) throw error;
  fill(problemList, h("p", { dir: "auto" }, `${error.message}.`));
  summary.hidden = true;
}

async function disableDuring(work) {
  const buttons = [addButton, form.querySelector("button")];
  buttons.forEach((button) => (button.disabled = true));
  try {
    await work();
  } catch (error) {
    showProblem(error);
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}

function describeItems({ count, answered, tests, repeated }) {
  const parts = [`${count.toLocaleString("en")} ${count === 1 ? "item" : "items"}`];
  if (answered) parts.push(`${answered.toLocaleString("en")} with a right answer`);
  if (tests) parts.push(`${tests.toLocaleString("en")} hidden tests`);
  if (repeated) parts.push(`${repeated.toLocaleString("en")} of them there already, under another id`);
  return `${parts.join(", ")}.`;
}

async function showPreview() {
  const file = chosenContent();
  fill(problemList);
  if (!file) {
    fill(problemList, h("p", {}, "Choose a file, or paste something."));
    return;
  }
  const items = await api.send("POST", `${address}/preview?${query(file.name)}`, file.data);
  const task = await import(module);
  await loadStyle(task.style, module);
  document.getElementById("counted").textContent = describeItems(items);
  page?.destroy?.();
  fill(preview);
  summary.hidden = false;
  const ignore = () => {};
  page = task.mount(
    preview,
    { content: items.content, state: null, readonly: false, options: {} },
    { changed: ignore, announce: ignore, submit: ignore, api: { get: refuse, send: refuse }, path: "" },
  );
  document.getElementById("seen-title").focus();
}

async function addItems() {
  const file = chosenContent();
  if (!file) return;
  await api.send("POST", `${address}?${query(file.name)}`, file.data);
  location.assign(done);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  disableDuring(showPreview);
});
addButton.addEventListener("click", () => disableDuring(addItems));
// The page comes with this button disabled: a form sent before this module runs loses the file.
form.querySelector("button").disabled = false;
