// Items out of a file: the first is drawn by the task's own page, then all are added. The file stays
// in the browser, so that a column's name can be mended without choosing it again.

import { Api, Offline, Problem } from "../core/api.js";
import { fill, h, styled } from "../core/dom.js";

const form = document.getElementById("adding");
const { address, module, csrf, done } = form.dataset;
const api = new Api(csrf);
const trouble = form.querySelector(".problems");
const seen = document.getElementById("seen");
const space = document.getElementById("preview");
const adding = document.getElementById("add");
const away = async () => {
  throw new Offline("this is a preview");
};
let page = null;

function chosen() {
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

function problem(error) {
  const isExpected = error instanceof Problem || error instanceof Offline;
  if (!isExpected) throw error;
  fill(trouble, h("p", { dir: "auto" }, `${error.message}.`));
  seen.hidden = true;
}

async function busy(work) {
  const buttons = [adding, form.querySelector("button")];
  buttons.forEach((one) => (one.disabled = true));
  try {
    await work();
  } catch (error) {
    problem(error);
  } finally {
    buttons.forEach((one) => (one.disabled = false));
  }
}

function counted({ count, answered, tests, repeated }) {
  const parts = [`${count.toLocaleString("en")} ${count === 1 ? "item" : "items"}`];
  if (answered) parts.push(`${answered.toLocaleString("en")} with a right answer`);
  if (tests) parts.push(`${tests.toLocaleString("en")} hidden tests`);
  if (repeated) parts.push(`${repeated.toLocaleString("en")} of them there already, under another id`);
  return `${parts.join(", ")}.`;
}

async function look() {
  const file = chosen();
  fill(trouble);
  if (!file) {
    fill(trouble, h("p", {}, "Choose a file, or paste something."));
    return;
  }
  const found = await api.send("POST", `${address}/preview?${query(file.name)}`, file.data);
  const task = await import(module);
  await styled(task.style, module);
  document.getElementById("counted").textContent = counted(found);
  page?.destroy?.();
  fill(space);
  seen.hidden = false;
  const nothing = () => {};
  page = task.mount(
    space,
    { content: found.content, state: null, readonly: false, options: {} },
    { changed: nothing, announce: nothing, submit: nothing, api: { get: away, send: away }, path: "" },
  );
  document.getElementById("seen-title").focus();
}

async function add() {
  const file = chosen();
  if (!file) return;
  await api.send("POST", `${address}?${query(file.name)}`, file.data);
  location.assign(done);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  busy(look);
});
adding.addEventListener("click", () => busy(add));
// The page comes with this button disabled: a form sent before this module runs loses the file.
form.querySelector("button").disabled = false;
