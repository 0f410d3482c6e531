// Under the text: conflicts, sentences left out, and decisions.

import { button, fill, h, keepFocus } from "../core/dom.js";
import { claimParts } from "./claims.js";
import { LeftOut } from "./leftout.js";
import { ago, colour, letter, mark, sentence } from "./wording.js";

const SETTLED = { both: "both are kept", one: "one is chosen", write: "written out" };

export class Notes {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.conflicts = section("disagreements", "Where the sources disagree");
    this.leftOut = new LeftOut(project, reading);
    this.refused = section("refused", "Refused wordings of the language model");
    this.decisions = section("decisions", "Your decisions");
    this.node = h("div", { class: "notes" }, this.conflicts.node, this.leftOut.node, this.refused.node, this.decisions.node);
  }

  draw(consolidation, view) {
    this.view = view;
    this.conflicts.node.hidden = !consolidation.disputes.length;
    const numbered = consolidation.disputes.map((conflict, place) => [conflict.relation === "superseded", this.conflict(conflict, place)]);
    const items = (isWanted) => numbered.filter(([superseded]) => superseded === isWanted).map(([, item]) => item);
    const [conflicts, superseded] = [items(false), items(true)];
    keepFocus(this.conflicts.node, () => fill(
      this.conflicts.body,
      conflicts.length ? h("ol", {}, conflicts) : "",
      superseded.length ? [h("h3", {}, "Figures that later sources update"), h("ol", {}, superseded)] : "",
    ));
    this.leftOut.draw(view);
    const refused = (consolidation.writing?.drafts || []).filter(({ why }) => why);
    this.refused.node.hidden = !refused.length;
    fill(this.refused.body, h("ul", {}, refused.map(({ text, why }) => h("li", {}, h("p", { dir: "auto" }, text), h("p", { class: "why" }, h("span", { "aria-hidden": "true" }, "✗ "), sentence(why))))));
    this.decisions.node.hidden = !consolidation.decisions.length;
    keepFocus(this.decisions.node, () => fill(this.decisions.body, h("ol", { class: "decisions" }, consolidation.decisions.map(decision))));
  }

  conflict({ id, kind, why, claims, settled, sentences }, place) {
    const numbers = sentences.map((sentenceId) => this.view.numbers.get(sentenceId)).filter(Boolean);
    const where = numbers.length ? `sentence${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}` : "not in the text";
    const select = (claim) => this.reading.toggle({ type: "conflict", id, ...(claim === undefined ? {} : { claim }) });
    return h(
      "li",
      { class: `disagreement${settled ? " settled" : ""}`, id: `note-${place + 1}`, "data-conflict": id },
      button([h("span", { class: "kind" }, kind), `, ${where}`], () => select(), { class: "subject plain" }),
      h("p", {}, why),
      h("ul", { class: "claims" }, claims.map((claim, index) => {
        const at = this.view.index.get(claim.document);
        const [name, words] = claimParts(this.reading, claim);
        return h(
          "li",
          {},
          button([mark(at), h("q", { dir: "auto" }, claim.text)], () => select(index), { class: `claim ${colour(at)}`, "aria-label": `“${claim.text}”, ${letter(at)}: show` }),
          h("p", { class: "claim-sentence", dir: "auto" }, name.slice(2), ": ", words),
        );
      })),
      h(
        "p",
        { class: "settling" },
        button(settled ? "Settle otherwise …" : "Settle …", () => this.reading.sentences.settle(id), { "aria-label": `${settled ? "Settle otherwise" : "Settle"}: ${why}`, disabled: !sentences.length && !settled }),
        settled ? h("span", { class: "faint" }, ` ✓ ${SETTLED[settled.how]}`) : "",
      ),
    );
  }

  goToNote(event, number) {
    event.preventDefault();
    const note = document.getElementById(`note-${number}`);
    note?.scrollIntoView({ block: "center" });
    note?.querySelector("button")?.focus({ preventScroll: true });
  }

  focusOn(id, shown = false) {
    const note = this.node.querySelector(`[data-conflict="${CSS.escape(id)}"]`);
    if (shown) note?.scrollIntoView({ block: "center" });
    (note?.querySelector(".settling button") || this.reading.headline).focus({ preventScroll: true });
  }
}

function section(name, title) {
  const body = h("div", {});
  const heading = h("h2", { id: `${name}-heading` }, title);
  return { node: h("section", { id: name, "aria-labelledby": heading.id, tabindex: -1 }, heading, body), body };
}

function decision({ label, at, applies, why, undone }) {
  const state = undone ? "undone" : applies ? "" : "lapsed";
  return h(
    "li",
    { class: state || null },
    h("span", { dir: "auto" }, label),
    " ",
    undone ? h("span", { class: "faint" }, "undone") : h("span", { class: "faint" }, ago(at)),
    !applies && !undone ? h("p", { class: "why" }, `⚠ No longer applies${why ? `: ${why}` : ""}`) : "",
  );
}
