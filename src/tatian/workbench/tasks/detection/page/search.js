// The field that finds a page: words are looked up in the knowledge base while one types, addresses
// and titles are taken as they are.
//
//   const pages = new Pages(context)        what the server knows, remembered
//     await pages.search(words)  [{title, description, kind, problem}]
//     await pages.page(title)    one of them
//     pages.known.get(title)     the same, if it was looked up before
//   const search = new Search({pages, onpick(page), oncancel()})
//   search.node;  search.open(term)  asks for a term;  search.focus()

import { button, composing, fill, h, unique } from "../../core/dom.js";
import { Offline, Problem } from "../../core/api.js";
import { titleIn, titleProblem } from "./rules.js";

const PAUSE = 150;
const LONGEST = 300;

export class Pages {
  constructor({ api, path }) {
    this.api = api;
    this.path = path?.replace(/\/[^/]*$/, "");
    this.known = new Map();
    this.asked = new Map();
  }

  async search(words) {
    const found = await this.get(`search?q=${encodeURIComponent(words.slice(0, LONGEST))}`);
    for (const page of found) this.known.set(page.title, page);
    return found;
  }

  async page(title) {
    if (!this.known.has(title)) {
      const page = await this.get(`page?title=${encodeURIComponent(title)}`);
      this.known.set(page.title, page);
      if (page.title !== title) this.known.set(title, page);
    }
    return this.known.get(title);
  }

  // One question is asked once, however often it comes up; a failed one may be asked again.
  get(path) {
    if (!this.api) return Promise.reject(new Offline("pages cannot be looked up here"));
    if (!this.asked.has(path)) {
      const answer = this.api.get(`${this.path}/${path}`);
      this.asked.set(path, answer);
      answer.catch(() => this.asked.delete(path));
    }
    return this.asked.get(path);
  }
}

export class Search {
  constructor({ pages, onpick, oncancel }) {
    this.pages = pages;
    this.onpick = onpick;
    this.oncancel = oncancel;
    this.found = [];
    this.at = 0;
    this.turn = 0;
    const list = unique("pages");
    this.input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", dir: "auto",
      maxlength: LONGEST, "aria-controls": list, "aria-expanded": "false", "aria-autocomplete": "list",
      oninput: () => this.ask(PAUSE),
      onkeydown: (event) => this.key(event),
    });
    this.list = h("ul", { id: list, class: "pages", role: "listbox", "aria-label": "Pages", hidden: true });
    this.status = h("p", { class: "faint", role: "status" });
    this.node = h(
      "div",
      { class: "search" },
      h("label", {}, "Page: words to look for, a Wikipedia address or a title", this.input),
      this.list,
      this.status,
    );
  }

  open(term) {
    this.input.value = term;
    this.show([], "Searching …");
    this.ask(0);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  ask(wait) {
    clearTimeout(this.timer);
    this.turn += 1;
    this.waiting = true;
    this.timer = setTimeout(() => this.look(this.turn), wait);
  }

  async look(turn) {
    const words = this.input.value.trim();
    if (!words) {
      this.show([], "");
      return;
    }
    const title = titleIn(words);
    const address = /^(?:https?:)?\/\/|\.org\//i.test(words);
    try {
      const found = address ? [await this.named(title)] : await this.pages.search(words);
      if (turn !== this.turn) return;
      this.show(this.withTitle(found, address ? "" : title), address ? titleProblem(title) : "");
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
      if (turn === this.turn) this.show(this.withTitle([], title), `The search failed: ${error.message}`);
    }
  }

  async named(title) {
    if (titleProblem(title)) return { title, problem: titleProblem(title) };
    return this.pages.page(title);
  }

  // Wikipedia has more pages than any base: what is typed can be taken as a title.
  withTitle(found, title) {
    if (!title || titleProblem(title) || found.some((page) => page.title === title)) return found;
    return [...found, { title, description: "", kind: "", typed: true }];
  }

  show(found, message) {
    this.waiting = false;
    this.found = found.filter(({ problem }) => !problem);
    const wrong = found.find(({ problem }) => problem);
    this.at = 0;
    this.list.hidden = !this.found.length;
    this.input.setAttribute("aria-expanded", String(this.found.length > 0));
    fill(this.list, this.found.map((page, index) => this.option(page, index)));
    const known = this.found.filter(({ typed }) => !typed).length;
    const count = `${known} ${known === 1 ? "page" : "pages"} found.`;
    this.status.textContent = message || wrong?.problem || (this.input.value.trim() ? count : "");
    this.mark();
  }

  option(page, index) {
    const about = page.typed
      ? "Not found in the knowledge base: take the title as typed, if Wikipedia has it"
      : page.description || "No description.";
    return h(
      "li",
      { id: unique("page"), role: "option", onclick: () => this.onpick(page), onpointermove: () => this.move(index) },
      h("strong", {}, page.title),
      page.kind && page.kind !== "concept" ? h("span", { class: "kind" }, ` ${page.kind}`) : null,
      h("span", { class: "about", dir: "auto" }, ` ${about}`),
    );
  }

  move(index) {
    if (index === this.at || !this.found.length) return;
    this.at = (index + this.found.length) % this.found.length;
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === this.at));
    });
    const current = this.list.children[this.at];
    if (current) this.input.setAttribute("aria-activedescendant", current.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  // What was typed last has not been looked up yet while waiting: Enter must not take another page.
  take() {
    const page = this.waiting ? null : this.found[this.at];
    if (page) this.onpick(page);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || composing(event)) return;
    if (event.key === "ArrowDown") this.move(this.at + 1);
    else if (event.key === "ArrowUp") this.move(this.at - 1);
    else if (event.key === "Enter") this.take();
    else if (event.key === "Escape") this.oncancel();
    else return;
    event.preventDefault();
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }
}
