// What the desk asks of the server, in one place (docs/desk.md has the addresses).
//
// A woven text that is the answer to a decision comes without its documents, which do not change by
// one: see Project.act.

import { Api } from "../core/api.js";

const ROOT = "/api/v1/desk/projects";
const EVENTS = ["weaving", "woven", "accounts", "wordings", "check", "deleted"];

export class Server {
  constructor(csrf) {
    this.api = new Api(csrf);
  }

  at(project, ...rest) {
    return [ROOT, project, ...rest].map((part, place) => (place ? encodeURIComponent(part) : part)).join("/");
  }

  async projects() {
    return (await this.api.get(ROOT)).projects;
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

  // Accounts; each answers {accounts, added, notes, stale}

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

  weave(project) {
    return this.api.send("POST", this.at(project, "weave"), {});
  }

  cancel(project) {
    return this.api.send("DELETE", this.at(project, "weave"));
  }

  woven(project) {
    return this.api.get(this.at(project, "woven"));
  }

  decide(project, decision) {
    return this.api.send("POST", this.at(project, "decisions"), decision);
  }

  undo(project) {
    return this.api.send("POST", this.at(project, "undo"), {});
  }

  redo(project) {
    return this.api.send("POST", this.at(project, "redo"), {});
  }

  wordings(project, sentence) {
    return this.api.get(this.at(project, "sentences", sentence, "wordings"));
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

  // Calls heard[name](data) for each event; the browser itself comes back after a break.
  follow(project, heard) {
    const source = new EventSource(this.at(project, "events"));
    for (const name of EVENTS) {
      source.addEventListener(name, ({ data }) => heard[name]?.(JSON.parse(data)));
    }
    addEventListener("pagehide", () => source.close());
    return source;
  }
}
