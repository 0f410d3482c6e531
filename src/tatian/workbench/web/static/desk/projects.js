// The page of all projects of a person.

import { ask, button, fill, h } from "../core/dom.js";
import { withErrors } from "./failures.js";
import { Uploads, intake } from "./intake.js";
import { Models } from "./models.js";
import { Queue } from "./queue.js";
import { ago, count } from "./wording.js";

const STATES = { waiting: "waiting to be consolidated", running: "being consolidated" };

export class Projects {
  constructor(root, server, admin) {
    this.root = root;
    this.server = server;
    this.queue = admin ? new Queue(server) : null;
    this.models = new Models(server);
    this.uploads = new Uploads();
    this.list = h("div", {});
  }

  async start() {
    const onfiles = (files) => this.createProject(async (id) => {
      const added = await this.uploads.upload(files, (file) => this.server.addFile(id, file));
      if (added) {
        this.uploads.store(id);
        return true;
      }
      await this.server.remove(id);
      return false;
    });
    const onpaste = async (pasted) => {
      const { id } = await this.server.create("");
      try {
        await this.server.addText(id, pasted);
      } catch (error) {
        await this.server.remove(id);
        throw error;
      }
      this.open(id);
    };
    this.problem = h("p", { role: "alert", class: "problem" });
    fill(
      this.root,
      h("h1", { id: "top" }, "The desk"),
      h("p", { class: "lead" }, "Add several sources of one story. Tatian makes one text of them and shows where every word came from. You change what you like and download the text."),
      intake({ onfiles, onpaste, heading: "Drop the sources of one story here" }),
      this.uploads.node,
      this.problem,
      this.list,
      this.models.node,
      this.queue?.node,
    );
    this.models.start();
    this.queue?.start();
    await this.refresh();
  }

  async createProject(addSources) {
    await withErrors(this.problem, async () => {
      const { id } = await this.server.create("");
      if (await addSources(id)) this.open(id);
    });
  }

  open(id) {
    location.assign(`/desk/${encodeURIComponent(id)}`);
  }

  async refresh() {
    await withErrors(this.problem, async () => this.draw(await this.server.projects()));
  }

  draw(projects) {
    if (!projects.length) {
      fill(this.list);
      return;
    }
    fill(
      this.list,
      h("div", { class: "heading" }, h("h2", { tabindex: -1 }, "Your projects"), button("New, empty project", () => this.createProject(async () => true))),
      h("ul", { class: "projects" }, projects.map((project) => this.row(project))),
    );
  }

  row({ id, title, accounts, words, changed, weaving: run }) {
    const name = title || "Without a title";
    return h(
      "li",
      { class: "card" },
      h("a", { href: `/desk/${encodeURIComponent(id)}` }, h("bdi", {}, name)),
      h("p", { class: "faint" }, [count(accounts, "source"), words && count(words, "word"), STATES[run], "changed "].filter(Boolean).join(" · "), ago(changed)),
      button("Delete", () => this.remove(id, name), { class: "plain", "aria-label": `Delete ${name}` }),
    );
  }

  async remove(id, name) {
    const confirmed = await ask({
      title: "Delete this project?",
      body: h("p", {}, h("bdi", {}, name), " goes with its sources, its text and your decisions. This cannot be undone. The files on your computer stay."),
      actions: [["Delete it", true], ["Keep it", false, true]],
    });
    if (!confirmed) return;
    await withErrors(this.problem, () => this.server.remove(id));
    await this.refresh();
    (this.list.querySelector("h2") || this.root.querySelector("button")).focus();
  }
}
