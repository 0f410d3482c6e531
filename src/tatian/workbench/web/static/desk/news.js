// New sentences of an edited text, after sources were added.

import { ask, button, fill, h } from "../core/dom.js";
import { read, write } from "../core/storage.js";
import { count } from "./wording.js";

export class News {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.key = `tatian desk seen ${project.id}`;
    this.node = h("div", { class: "stale news", role: "group", "aria-label": "What is new", hidden: true });
  }

  draw(sentences) {
    const seen = new Set(read(this.key) || []);
    const fresh = sentences.filter((one) => one.new);
    this.fresh = fresh.map(({ id }) => id);
    const open = fresh.some(({ id }) => !seen.has(id));
    this.node.hidden = !open;
    this.reading.text.node.classList.toggle("seen", !open);
    if (!open || this.drawn === this.fresh.join(" ")) return;
    this.drawn = this.fresh.join(" ");
    this.at = -1;
    fill(
      this.node,
      h("p", { role: "status" }, `${count(fresh.length, "sentence")} ${fresh.length === 1 ? "is" : "are"} new. Everything else stays in its place.`),
      button("Show the next", () => this.next(), { class: "primary" }),
      button("Seen", () => this.see()),
      button("Consolidate all anew …", () => this.anew(), { class: "plain" }),
    );
  }

  next() {
    this.at = (this.at + 1) % this.fresh.length;
    this.reading.flash(this.fresh[this.at]);
    this.reading.text.built.get(this.fresh[this.at])?.node.scrollIntoView({ block: "center" });
  }

  see() {
    write(this.key, this.fresh);
    this.drawn = "";
    this.draw(this.project.sentences);
    this.reading.headline.focus({ preventScroll: true });
  }

  async anew() {
    const sure = await ask({
      title: "Consolidate everything anew?",
      body: h("p", {}, "All sources are put in order from the start, as if they had come together. Your decisions are made again on the new text, as far as they apply."),
      actions: [["Consolidate anew", true, true], ["Leave it", false]],
    });
    if (sure) await this.project.weave(true);
  }
}
