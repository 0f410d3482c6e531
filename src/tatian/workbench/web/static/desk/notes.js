// Under the text: where the accounts disagree, what is left out, and the decisions one has made.

import { button, fill, h, inPlace } from "../core/dom.js";
import { ago, colour, count, letter, mark } from "./wording.js";

const SETTLED = { both: "both are kept", one: "one is chosen", write: "written out" };
const SHOWN = 40;

export class Notes {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.disputes = section("disagreements", "Where the accounts disagree");
    this.left = h("details", { id: "left-out" }, h("summary", {}), h("div", {}));
    this.left.addEventListener("toggle", () => this.drawLeft());
    this.decisions = section("decisions", "Your decisions");
    this.node = h("div", { class: "notes" }, this.disputes.node, this.left, this.decisions.node);
  }

  draw(woven, view) {
    this.view = view;
    this.disputes.node.hidden = !woven.disputes.length;
    inPlace(this.disputes.node, () => fill(this.disputes.body, h("ol", {}, woven.disputes.map((one, place) => this.dispute(one, place)))));
    inPlace(this.left, () => this.drawLeft());
    this.decisions.node.hidden = !woven.decisions.length;
    inPlace(this.decisions.node, () => fill(this.decisions.body, h("ol", { class: "decisions" }, woven.decisions.map(decision))));
  }

  dispute({ id, kind, why, claims, settled, sentences }, place) {
    const numbers = sentences.map((one) => this.view.numbers.get(one)).filter(Boolean);
    const where = numbers.length ? `sentence${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}` : "not in the text";
    const hold = (claim) => this.reading.toggle({ type: "dispute", id, ...(claim === undefined ? {} : { claim }) });
    return h(
      "li",
      { class: `disagreement${settled ? " settled" : ""}`, id: `note-${place + 1}`, "data-dispute": id },
      button([h("span", { class: "kind" }, kind), `, ${where}`], () => hold(), { class: "subject plain" }),
      h("p", {}, why),
      h("ul", { class: "claims" }, claims.map(({ account, text }, index) => {
        const at = this.view.index.get(account);
        return h("li", {}, button([mark(at), h("q", { dir: "auto" }, text)], () => hold(index), { class: `claim ${colour(at)}`, "aria-label": `“${text}”, ${letter(at)}: show` }));
      })),
      h(
        "p",
        { class: "settling" },
        button(settled ? "Settle otherwise …" : "Settle …", () => this.reading.sentences.settle(id), { "aria-label": `${settled ? "Settle otherwise" : "Settle"}: ${why}`, disabled: !sentences.length && !settled }),
        settled ? h("span", { class: "faint" }, ` ✓ ${SETTLED[settled.how]}`) : "",
      ),
    );
  }

  drawLeft() {
    const out = this.view.fates.flatMap((fates, account) =>
      fates.flatMap(({ id, fate, why }, number) => (fate === "unused" ? [{ id, why, account, number }] : [])));
    this.left.hidden = !out.length;
    const [summary, body] = this.left.children;
    fill(summary, `Left out: ${count(out.length, "sentence")}`);
    if (!this.left.open) return fill(body);
    const rows = out.slice(0, SHOWN).map(({ id, why, account, number }) => {
      const [start, end] = this.view.documents[account].sentences[number];
      return h(
        "li",
        {},
        h("p", { dir: "auto" }, mark(account), " ", this.reading.beside.said(account, start, end)),
        h("p", { class: "faint" }, why, " ", button("Tell this too", () => this.reading.sentences.tell(id), { class: "plain" })),
      );
    });
    const rest = out.length > SHOWN ? h("p", { class: "faint" }, `and ${count(out.length - SHOWN, "more sentence")}: see the accounts.`) : "";
    return fill(body, h("ul", {}, rows), rest);
  }

  go(event, number) {
    event.preventDefault();
    const note = document.getElementById(`note-${number}`);
    note?.scrollIntoView({ block: "center" });
    note?.querySelector("button")?.focus({ preventScroll: true });
  }

  focusOn(id, shown = false) {
    const note = this.node.querySelector(`[data-dispute="${CSS.escape(id)}"]`);
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
