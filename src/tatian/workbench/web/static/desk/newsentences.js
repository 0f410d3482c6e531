// Banner about the new sentences of an edited text, after sources were added.

import { ask, button, fill, h } from "../core/dom.js";
import { read, write } from "../core/storage.js";
import { count } from "./wording.js";

export class NewSentences {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.key = `tatian desk seen ${project.id}`;
    this.node = h("div", { class: "stale new-sentences", role: "group", "aria-label": "What is new", hidden: true });
  }

  draw(sentences) {
    const seen = new Set(read(this.key) || []);
    const added = sentences.filter((sentence) => sentence.new);
    this.ids = added.map(({ id }) => id);
    const isOpen = added.some(({ id }) => !seen.has(id));
    this.node.hidden = !isOpen;
    this.reading.text.node.classList.toggle("seen", !isOpen);
    if (!isOpen || this.drawn === this.ids.join(" ")) return;
    this.drawn = this.ids.join(" ");
    this.shownIndex = -1;
    fill(
      this.node,
      h("p", { role: "status" }, `${count(added.length, "sentence")} ${added.length === 1 ? "is" : "are"} new. Everything else stays in its place.`),
      button("Show the next", () => this.showNext(), { class: "primary" }),
      button("Seen", () => this.markSeen()),
      button("Consolidate all anew …", () => this.consolidateAnew(), { class: "plain" }),
    );
  }

  showNext() {
    this.shownIndex = (this.shownIndex + 1) % this.ids.length;
    this.reading.flash(this.ids[this.shownIndex]);
    this.reading.text.built.get(this.ids[this.shownIndex])?.node.scrollIntoView({ block: "center" });
  }

  markSeen() {
    write(this.key, this.ids);
    this.drawn = "";
    this.draw(this.project.sentences);
    this.reading.headline.focus({ preventScroll: true });
  }

  async consolidateAnew() {
    const confirmed = await ask({
      title: "Consolidate everything anew?",
      body: h("p", {}, "All sources are put in order from the start, as if they had come together. Your decisions are made again on the new text, as far as they apply."),
      actions: [["Consolidate anew", true, true], ["Leave it", false]],
    });
    if (confirmed) await this.project.consolidate(true);
  }
}
