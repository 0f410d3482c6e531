// The field that finds a page: typed words are searched in the knowledge base, addresses and titles
// are taken as they are.
//
//   const pages = new Pages(context)        pages from the server, cached
//     await pages.search(words)  [{title, description, kind, problem}]
//     await pages.page(title)    one of them
//     pages.known.get(title)     the same, if it is cached
//   const search = new Search({pages, onpick(page), oncancel()})
//   search.node;  search.open(term)  searches for a term;  search.focus()

import { fill, h, isComposing, unique } from "../../core/dom.js";
import { Offline, Problem } from "../../core/api.js";
import { parseTitle, titleProblem } from "./rules.js";

const DELAY = 150; // Milliseconds after the last key.
const LONGEST_QUERY = 300;

export class Pages {
  constructor({ api, path }) {
    this.api = api;
    this.path = path?.replace(/\/[^/]*$/, "");
    this.known = new Map();
    this.requests = new Map();
  }

  async search(words) {
    const pages = await this.get(`search?q=${encodeURIComponent(words.slice(0, LONGEST_QUERY))}`);
    for (const page of pages) this.known.set(page.title, page);
    return pages;
  }

  async page(title) {
    if (!this.known.has(title)) {
      const page = await this.get(`page?title=${encodeURIComponent(title)}`);
      this.known.set(page.title, page);
      if (page.title !== title) this.known.set(title, page);
    }
    return this.known.get(title);
  }

  // Send each request once; a failed one may be sent again.
  get(path) {
    if (!this.api) return Promise.reject(new Offline("pages cannot be looked up here"));
    if (!this.requests.has(path)) {
      const request = this.api.get(`${this.path}/${path}`);
      this.requests.set(path, request);
      request.catch(() => this.requests.delete(path));
    }
    return this.requests.get(path);
  }
}

export class Search {
  constructor({ pages, onpick, oncancel }) {
    this.pages = pages;
    this.onpick = onpick;
    this.oncancel = oncancel;
    this.found = [];
    this.current = 0;
    this.searchNumber = 0;
    const list = unique("pages");
    this.input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", dir: "auto",
      maxlength: LONGEST_QUERY, "aria-controls": list, "aria-expanded": "false", "aria-autocomplete": "list",
      oninput: () => this.scheduleSearch(DELAY),
      onkeydown: (event) => this.onKey(event),
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
    this.scheduleSearch(0);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  scheduleSearch(delay) {
    clearTimeout(this.timer);
    this.searchNumber += 1;
    this.waiting = true;
    this.timer = setTimeout(() => this.runSearch(this.searchNumber), delay);
  }

  async runSearch(number) {
    const words = this.input.value.trim();
    if (!words) {
      this.show([], "");
      return;
    }
    const title = parseTitle(words);
    const isAddress = /^(?:https?:)?\/\/|\.org\//i.test(words);
    try {
      const pages = isAddress ? [await this.pageByTitle(title)] : await this.pages.search(words);
      if (number !== this.searchNumber) return;
      this.show(this.withTitle(pages, isAddress ? "" : title), isAddress ? titleProblem(title) : "");
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
      if (number === this.searchNumber) this.show(this.withTitle([], title), `The search failed: ${error.message}`);
    }
  }

  async pageByTitle(title) {
    if (titleProblem(title)) return { title, problem: titleProblem(title) };
    return this.pages.page(title);
  }

  // Offer the typed text as a title too, as Wikipedia has more pages than any knowledge base.
  withTitle(pages, title) {
    if (!title || titleProblem(title) || pages.some((page) => page.title === title)) return pages;
    return [...pages, { title, description: "", kind: "", typed: true }];
  }

  show(found, message) {
    this.waiting = false;
    this.found = found.filter(({ problem }) => !problem);
    const unsuitable = found.find(({ problem }) => problem);
    this.current = 0;
    this.list.hidden = !this.found.length;
    this.input.setAttribute("aria-expanded", String(this.found.length > 0));
    fill(this.list, this.found.map((page, index) => this.option(page, index)));
    const knownCount = this.found.filter(({ typed }) => !typed).length;
    const count = `${knownCount} ${knownCount === 1 ? "page" : "pages"} found.`;
    this.status.textContent = message || unsuitable?.problem || (this.input.value.trim() ? count : "");
    this.updateCurrent();
  }

  option(page, index) {
    const description = page.typed
      ? "Not found in the knowledge base: take the title as typed, if Wikipedia has it"
      : page.description || "No description.";
    return h(
      "li",
      { id: unique("page"), role: "option", onclick: () => this.onpick(page), onpointermove: () => this.move(index) },
      h("strong", {}, page.title),
      page.kind && page.kind !== "concept" ? h("span", { class: "kind" }, ` ${page.kind}`) : null,
      h("span", { class: "about", dir: "auto" }, ` ${description}`),
    );
  }

  move(index) {
    if (index === this.current || !this.found.length) return;
    this.current = (index + this.found.length) % this.found.length;
    this.updateCurrent();
  }

  updateCurrent() {
    [...this.list.children].forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === this.current));
    });
    const current = this.list.children[this.current];
    if (current) this.input.setAttribute("aria-activedescendant", current.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  // While a search is waiting, the list is outdated, so Enter chooses nothing.
  chooseCurrent() {
    const page = this.waiting ? null : this.found[this.current];
    if (page) this.onpick(page);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
    if (event.key === "ArrowDown") this.move(this.current + 1);
    else if (event.key === "ArrowUp") this.move(this.current - 1);
    else if (event.key === "Enter") this.chooseCurrent();
    else if (event.key === "Escape") this.oncancel();
    else return;
    event.preventDefault();
    this.list.children[this.current]?.scrollIntoView({ block: "nearest" });
  }
}
