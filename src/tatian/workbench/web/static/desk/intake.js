// Add sources: files dropped anywhere on the page or chosen, and pasted text.
//
//   intake({onfiles, onpaste, heading})   an element for a page
//     onfiles([File])   is called when files are dropped or chosen
//     onpaste({text, title})   returns a promise; if it fails, the dialog stays open
//   choose(onfiles, {multiple})   opens the file dialog
//   Uploads()       list of messages about uploaded files
//     .upload(files, send)   uploads one file after the other: await send(file) -> {added, notes}
//     .store(project), .restore(project)   carry the messages over to the project's page

import { Offline } from "../core/api.js";
import { ask, button, fill, h, unique } from "../core/dom.js";
import { sentence } from "./wording.js";

const KINDS = ".txt,.md,.markdown,.html,.htm,.pdf,.docx,.odt,.rtf,.eml,.mbox,.srt,.vtt,.epub,.zip,.json,.jsonl";
const STORAGE_KEY = "tatian desk said ";
const READABLE = "Text, Word, PDF, OpenDocument, RTF, web pages, mail, subtitles, EPUB, or a zip of these";

export function intake({ onfiles, onpaste, heading }) {
  const node = h(
    "div",
    { class: "drop" },
    h("p", { class: "drop-heading" }, heading),
    h(
      "div",
      { class: "actions" },
      button("Choose files", () => choose(onfiles), { class: "primary" }),
      button("Paste text", () => askForText(onpaste)),
    ),
    h("p", { class: "faint" }, `${READABLE}. In English.`),
  );
  watchDrops(node, onfiles);
  return node;
}

export function choose(onfiles, { multiple = true } = {}) {
  const input = h("input", { type: "file", accept: KINDS, multiple, class: "unseen", "aria-label": "Files", tabindex: -1 });
  input.addEventListener("change", () => {
    if (input.files.length) onfiles([...input.files]);
    input.remove();
  });
  input.addEventListener("cancel", () => input.remove());
  document.body.append(input);
  input.click();
}

function askForText(onpaste) {
  const title = h("input", { type: "text", id: unique("title"), autocomplete: "off" });
  const text = h("textarea", { id: unique("text"), rows: 12, class: "reading", autofocus: true });
  text.addEventListener("input", () => text.dispatchEvent(new Event("change", { bubbles: true })));
  return ask({
    title: "Paste the text of a source",
    body: [
      h("div", { class: "field" }, h("label", { for: text.id }, "Text"), text),
      h("div", { class: "field" }, h("label", { for: title.id }, "Title ", h("span", { class: "faint" }, "(optional)")), title),
    ],
    actions: [
      ["Put it in", () => ({ text: text.value, title: title.value.trim() }), true, () => text.value.trim() !== ""],
      ["Cancel", null],
    ],
    unsaved: () => text.value.trim() !== "",
    attempt: (pasted) => onpaste(pasted).then(() => "", (error) => sentence(error.message)),
    wide: true,
  });
}

// Files can be dropped anywhere, as browsers would leave the page for a file beside the target.
let target = null;

function watchDrops(node, onfiles) {
  if (!target) {
    const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      target?.node.classList.add("over");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) target?.node.classList.remove("over");
    });
    addEventListener("drop", async (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      target?.node.classList.remove("over");
      const files = await droppedFiles(event.dataTransfer);
      if (files.length && target?.node.isConnected) target.onfiles(files);
    });
  }
  target = { node, onfiles };
}

// The dropped files, and those in dropped folders except hidden ones.
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const files = [];
  const collect = async (entry) => {
    if (entry.name.startsWith(".")) return;
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!batch.length) return;
      for (const inner of batch) await collect(inner);
    }
  };
  for (const entry of entries) await collect(entry);
  return files;
}

export class Uploads {
  constructor() {
    this.status = h("p", { role: "status", class: "faint" });
    this.notes = h("ul", {});
    this.refused = h("ul", { class: "refused" });
    this.node = h("div", { class: "uploads" }, this.status, h("div", { role: "status" }, this.notes), h("div", { role: "alert" }, this.refused));
    this.line = Promise.resolve();
    this.clear(new Set());
  }

  // Messages about refused files stay until they are dismissed or the file is sent again.
  clear(names) {
    this.lines = { notes: [], refused: this.lines?.refused.filter(([name]) => !names.has(name)) || [] };
    fill(this.notes);
    for (const line of [...this.refused.children]) if (names.has(line.dataset.name)) line.remove();
  }

  // Files of a second drop wait for those of the first.
  upload(files, send) {
    this.clear(new Set(files.map(({ name }) => name)));
    this.line = this.line.then(() => this.sendAll(files, send));
    return this.line;
  }

  async sendAll(files, send) {
    let accounts = 0;
    for (const [index, file] of files.entries()) {
      const which = files.length > 1 ? ` (${index + 1} of ${files.length})` : "";
      fill(this.status, "Reading ", h("bdi", {}, file.name), `${which} …`);
      try {
        const { added, notes } = await send(file);
        accounts += added.length;
        for (const note of notes) this.addMessage("notes", "", note);
      } catch (error) {
        this.addMessage("refused", file.name, error instanceof Offline ? `not sent: ${error.message}; try again` : error.message);
      }
    }
    const count = accounts === 1 ? "1 source" : `${accounts} sources`;
    fill(this.status, accounts ? `${count} put in.` : "");
    return accounts;
  }

  addMessage(kind, name, text) {
    const why = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    this.lines[kind].push([name, why]);
    const dismiss = () => {
      this.lines[kind] = this.lines[kind].filter(([otherName, otherWhy]) => otherName !== name || otherWhy !== why);
      line.remove();
    };
    const line = h(
      "li",
      { "data-name": name },
      h("span", {}, name ? [h("b", {}, h("bdi", {}, name)), ": "] : "", name ? `${why.replace(/[.\s]+$/, "")}.` : sentence(why)),
      button("Dismiss", dismiss, { class: "plain", "aria-label": `Dismiss: ${name || why}` }),
    );
    this[kind].append(line);
  }

  // Store the messages for the page of the project.
  store(project) {
    sessionStorage.setItem(STORAGE_KEY + project, JSON.stringify(this.lines));
  }

  restore(project) {
    const { notes = [], refused = [] } = JSON.parse(sessionStorage.getItem(STORAGE_KEY + project) || "{}");
    sessionStorage.removeItem(STORAGE_KEY + project);
    for (const [name, why] of notes) this.addMessage("notes", name, why);
    for (const [name, why] of refused) this.addMessage("refused", name, why);
  }
}
