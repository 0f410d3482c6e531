// Requests of the desk to the server.
//
// A text that answers a decision lacks its documents, and what the page has already: see Project.update.

import { Api } from "../core/api.js";

const ROOT = "/api/v1/desk/projects";
const QUEUE = "/api/v1/desk/queue";
const MODELS = "/api/v1/desk/models";
const EVENTS = ["weaving", "woven", "accounts", "wordings", "check", "deleted"];

export class Server {
  constructor(csrf) {
    this.api = new Api(csrf);
  }

  at(project, ...rest) {
    return [ROOT, project, ...rest].map((part, place) => (place ? encodeURIComponent(part) : part)).join("/");
  }

  projects() {
    return this.api.get(ROOT);
  }

  // For administrators: the jobs of everybody.

  queue() {
    return this.api.get(QUEUE);
  }

  cancelJob(number) {
    return this.api.send("DELETE", `${QUEUE}/${number}`);
  }

  // Language models: {writer, editor, judge, ...}, and the servers on this machine.

  models() {
    return this.api.get(MODELS);
  }

  chooseModels(chosen) {
    return this.api.send("PUT", MODELS, chosen);
  }

  modelServers() {
    return this.api.get(`${MODELS}/servers`);
  }

  create(title) {
    return this.api.send("POST", ROOT, { title });
  }

  open(project) {
    return this.api.get(this.at(project));
  }

  rename(project, title) {
    return this.api.send("PATCH", this.at(project), { title });
  }

  remove(project) {
    return this.api.send("DELETE", this.at(project));
  }

  // Sources; each call answers {accounts, added, notes, stale}

  addFile(project, file) {
    return this.api.send("POST", `${this.at(project, "accounts")}?name=${encodeURIComponent(file.name)}`, file);
  }

  replaceFile(project, account, file) {
    const path = this.at(project, "accounts", account, "file");
    return this.api.send("PUT", `${path}?name=${encodeURIComponent(file.name)}`, file);
  }

  addText(project, pasted) {
    return this.api.send("POST", this.at(project, "accounts", "paste"), pasted);
  }

  changeAccount(project, account, change) {
    return this.api.send("PATCH", this.at(project, "accounts", account), change);
  }

  removeAccount(project, account) {
    return this.api.send("DELETE", this.at(project, "accounts", account));
  }

  orderAccounts(project, accounts) {
    return this.api.send("PUT", this.at(project, "accounts", "order"), { accounts });
  }

  // The text

  consolidate(project, anew) {
    return this.api.send("POST", this.at(project, "weave"), { anew });
  }

  cancel(project) {
    return this.api.send("DELETE", this.at(project, "weave"));
  }

  // `seen`: the revision that the page has.

  text(project, seen) {
    return this.api.get(`${this.at(project, "woven")}?seen=${seen}`);
  }

  leftOut(project) {
    return this.api.get(this.at(project, "left-out"));
  }

  decide(project, decision, seen) {
    return this.api.send("POST", `${this.at(project, "decisions")}?seen=${seen}`, decision);
  }

  undo(project, seen) {
    return this.api.send("POST", `${this.at(project, "undo")}?seen=${seen}`, {});
  }

  redo(project, seen) {
    return this.api.send("POST", `${this.at(project, "redo")}?seen=${seen}`, {});
  }

  wordings(project, sentence, retry) {
    return this.api.get(`${this.at(project, "sentences", sentence, "wordings")}?again=${retry}`);
  }

  readDraft(project, file) {
    return this.api.send("POST", `${this.at(project, "drafts")}?name=${encodeURIComponent(file.name)}`, file);
  }

  check(project, text) {
    return this.api.send("POST", this.at(project, "checks"), { text });
  }

  checked(project, check) {
    return this.api.get(this.at(project, "checks", check));
  }

  exportAddress(project, format) {
    return this.at(project, "export", format);
  }

  // Call handlers[name](data) for each event while the page is visible, as browsers open only a few
  // streams at a time. A new stream begins with the present state.
  follow(project, handlers) {
    let source = null;
    const listen = () => {
      source?.close();
      source = null;
      if (document.hidden) return;
      source = new EventSource(this.at(project, "events"));
      for (const name of EVENTS) {
        source.addEventListener(name, ({ data }) => handlers[name]?.(JSON.parse(data)));
      }
    };
    document.addEventListener("visibilitychange", listen);
    addEventListener("pagehide", () => source?.close());
    listen();
  }
}
