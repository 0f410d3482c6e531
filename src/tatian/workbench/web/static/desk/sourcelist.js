// The view of the sources: add, name, date, order, replace, remove and consolidate them.

import { arrange, ask, button, fill, h, keepFocus, unique } from "../core/dom.js";
import { Uploads, choose, intake } from "./intake.js";
import { colour, count, mark, sentence } from "./wording.js";

const BEGINNING_CHARACTERS = 220;
const FIELDS = [
  ["title", "Title", "text"],
  ["source", "Publisher", "text"],
  ["date", "Date", "date"],
];

const END_MESSAGES = {
  cancelled: () => "consolidation was cancelled",
  failed: ({ problem }) => `consolidation failed: ${problem}`,
  interrupted: () => "the server stopped during consolidation: consolidate again",
};

export class SourceList {
  constructor(project) {
    this.project = project;
    this.uploads = new Uploads();
    this.intake = intake({
      heading: "Drop sources here",
      onfiles: (files) => (project.place === "check" ? project.draft.read(files) : this.upload(files)),
      onpaste: async (pasted) => {
        await project.server.addText(project.id, pasted);
        await project.change(() => null, "Put in.");
      },
    });
    this.cards = new Map();
    this.list = h("ol", { class: "accounts", "aria-label": "Sources" });
    this.hint = h("p", { class: "faint" });
    this.consolidate = button("Consolidate", () => project.consolidate(), { class: "primary consolidate" });
    this.node = h(
      "section",
      { "aria-labelledby": "accounts-title", class: "putting" },
      h("h2", { id: "accounts-title", tabindex: -1 }, "Sources"),
      this.uploads.node,
      this.list,
      this.intake,
      h("div", { class: "toolbar" }, this.consolidate, this.hint),
      project.models.node,
    );
  }

  // Show the messages about files that were dropped on the page of all projects.
  restoreMessages() {
    this.uploads.restore(this.project.id);
  }

  async upload(files) {
    const { server, id } = this.project;
    await this.uploads.upload(files, (file) => server.addFile(id, file));
    await this.project.refresh();
  }

  draw() {
    const { accounts } = this.project.state;
    this.drawCards(accounts);
    this.intake.classList.toggle("small", accounts.length > 0);
    this.drawState();
  }

  drawState() {
    const { accounts, weaving: run } = this.project.state;
    const { running, consolidation } = this.project;
    const tooFew = accounts.length < 2;
    this.consolidate.disabled = tooFew || running;
    fill(this.consolidate, running ? "Consolidating …" : consolidation ? "Consolidate again" : tooFew ? "Consolidate" : `Consolidate ${count(accounts.length, "source")}`);
    const words = accounts.reduce((sum, { words: number }) => sum + number, 0);
    const undated = accounts.filter(({ date }) => !date).length;
    fill(
      this.hint,
      tooFew
        ? accounts.length ? "Add at least one more source." : ""
        : [count(words, "word"), undated ? `; ${count(undated, "source")} without a date: the order of events is better with dates` : "", "."],
      running ? "" : ` ${sentence(END_MESSAGES[run.state]?.(run) || consolidation?.stale || "")}`,
    );
  }

  // Rebuild a card only if more than its fields have changed, as somebody may be typing.
  drawCards(accounts) {
    const cards = accounts.map((account, place) => {
      const { title, source, date, ...other } = account;
      const key = JSON.stringify([other, place, accounts.length]);
      const before = this.cards.get(account.id);
      return [account.id, before?.key === key ? before : { key, node: this.card(account, place, accounts.length) }];
    });
    this.cards = new Map(cards);
    keepFocus(this.list, () => arrange(this.list, cards.map(([, { node }]) => node)));
    for (const account of accounts) {
      for (const input of this.cards.get(account.id).node.querySelectorAll("input")) {
        if (input !== document.activeElement && !("unsaved" in input.dataset)) input.value = account[input.name] || "";
      }
    }
  }

  card(account, place, many) {
    const name = account.file || account.title || `source ${place + 1}`;
    const fields = FIELDS.map(([field, label, type]) => this.field(account, field, label, type));
    return h(
      "li",
      { class: `card account-card ${colour(place)}`, "data-account": account.id },
      h("div", { class: "account-head" }, mark(place), h("span", { class: "faint" }, count(account.words, "word"), account.file && account.file !== account.title ? [" · ", h("bdi", {}, account.file)] : "")),
      h("div", { class: "account-fields" }, fields),
      h(
        "details",
        {},
        h("summary", {}, h("bdi", {}, beginning(account.text))),
        h("div", { class: "reading lines", dir: "auto", tabindex: 0, role: "region", "aria-label": `Text of ${name}` }, account.text),
      ),
      h(
        "div",
        { class: "actions" },
        button("↑", () => this.move(account, -1), { "aria-label": `Move ${name} up`, disabled: place === 0 }),
        button("↓", () => this.move(account, 1), { "aria-label": `Move ${name} down`, disabled: place === many - 1 }),
        button("Replace", () => this.replace(account), { "aria-label": `Replace ${name} by another file` }),
        button("Remove", () => this.remove(account, name), { "aria-label": `Remove ${name}` }),
      ),
    );
  }

  field(account, name, label, type) {
    const id = unique(name);
    const input = h("input", { id, name, type, value: account[name] || "", autocomplete: "off", dir: type === "text" ? "auto" : null });
    input.addEventListener("change", async () => {
      const { server, id: project } = this.project;
      const change = { [name]: input.value.trim() || null };
      input.dataset.unsaved = "";
      await this.project.change(() => {
        delete input.dataset.unsaved;
        return server.changeAccount(project, account.id, change);
      }, "Saved.");
    });
    return h("div", { class: `field ${name}` }, h("label", { for: id }, label), input);
  }

  move(account, step) {
    const ids = this.project.state.accounts.map(({ id }) => id);
    const from = ids.indexOf(account.id);
    ids.splice(from, 1);
    ids.splice(from + step, 0, account.id);
    const { server, id } = this.project;
    this.project.change(() => server.orderAccounts(id, ids), "Moved.").then(() => {
      const card = this.list.querySelector(`[data-account="${CSS.escape(account.id)}"]`);
      const [up, down] = card?.querySelectorAll(".actions button") || [];
      (step < 0 ? (up?.disabled ? down : up) : down?.disabled ? up : down)?.focus();
    });
  }

  replace(account) {
    const { server, id } = this.project;
    choose(
      async ([file]) => {
        await this.uploads.upload([file], async (file) => ({ added: [account.id], ...(await server.replaceFile(id, account.id, file)) }));
        await this.project.refresh();
      },
      { multiple: false },
    );
  }

  async remove(account, name) {
    const confirmed = await ask({
      title: "Remove this source?",
      body: h("p", {}, h("bdi", {}, name), " is taken out of the project. The file on your computer stays."),
      actions: [["Remove it", true, true], ["Keep it", false]],
    });
    if (!confirmed) return;
    await this.project.change(() => this.project.server.removeAccount(this.project.id, account.id), "Removed.");
    this.node.querySelector("h2").focus();
  }
}

function beginning(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > BEGINNING_CHARACTERS ? `${line.slice(0, BEGINNING_CHARACTERS)} …` : line;
}
