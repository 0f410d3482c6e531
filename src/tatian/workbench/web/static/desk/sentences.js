// Menus and dialogs for sentences of the text and of the sources.

import { ask, fill, h, unique } from "../core/dom.js";
import { renderDiff } from "../core/diff.js";
import { openMenu } from "../core/menu.js";
import { claimParts } from "./claims.js";
import { verdictParts } from "./passages.js";
import { mark, nameOf, sentence, verdict } from "./wording.js";

const KINDS = {
  woven: "As consolidated",
  source: "As in the source",
  union: "Everything they say, in one sentence",
  model: "By the language model",
};

export class Sentences {
  constructor(project, reading) {
    this.project = project;
    this.reading = reading;
    this.waiting = null;
  }

  get all() {
    return this.project.sentences;
  }

  find(id) {
    return this.all.find((sentence) => sentence.id === id);
  }

  // Send a decision, then focus a sentence, or the one at its place if it is gone.
  decide(decision, message, focus = decision.sentence) {
    const index = this.all.findIndex(({ id }) => id === focus);
    return this.project.decide(decision, message, () => {
      if (this.reading.steps.contains(document.activeElement)) this.reading.text.built.get(focus)?.node.scrollIntoView({ block: "nearest" });
      else if (focus) this.reading.text.focusOn(focus, Math.max(0, index));
      else this.reading.text.refocus();
    });
  }

  // The menu of a sentence of the text

  menu(id, anchor) {
    const sentence = this.find(id);
    if (!sentence) return;
    const index = this.all.indexOf(sentence);
    const changes = this.project.consolidation.decisions.filter(({ number }) => sentence.decisions.includes(number));
    const checked = sentence.verdict;
    openMenu(anchor, {
      label: `Sentence ${index + 1}`,
      note: [
        h("p", {}, `Sentence ${index + 1} `, this.marks(sentence.accounts), sentence.model ? " worded by a language model" : ""),
        checked && h("p", {}, verdict(checked.verdict), checked.why ? `: ${checked.why}` : ""),
        sentence.why && h("p", { class: "faint" }, `Why here: ${sentence.why}`),
        changes.map(({ label }) => h("p", { class: "faint" }, label)),
      ],
      items: [
        { label: "Other wordings …", hint: "W", run: () => this.wordings(id) },
        { label: "Edit …", hint: "E", run: () => this.edit(id) },
        { label: "Split …", run: () => this.split(id), disabled: sentence.tokens.length < 4 },
        ...sentence.disputes.map((conflict) => ({ label: "Settle the disagreement …", run: () => this.settle(conflict, id) })),
        this.origin(sentence) && { label: "A source says otherwise …", run: () => this.reading.marker.begin(this.origin(sentence)) },
        null,
        { label: "Move up", hint: "Alt ↑", run: () => this.step(id, -1), disabled: index === 0 },
        { label: "Move down", hint: "Alt ↓", run: () => this.step(id, 1), disabled: index === this.all.length - 1 },
        { label: "Move elsewhere …", run: () => this.reading.move(id), disabled: this.all.length < 3 },
        index > 0 && {
          label: sentence.opens ? "Join to the paragraph above" : "Begin a paragraph here",
          run: () => this.decide({ kind: "move", sentence: id, after: this.all[index - 1].id, opens: !sentence.opens }, "Done."),
        },
        { label: "Write a sentence after it …", run: () => this.write(id) },
        null,
        { label: "Drop", hint: "Del", run: () => this.drop(id), danger: true },
      ].filter((item) => item !== false && item !== undefined),
      back: () => this.reading.text.built.get(id)?.number ?? anchor,
    });
  }

  // The place of the source sentence whose words a sentence has.
  origin({ origins: [id] }) {
    const { outcomes } = this.reading.view;
    const account = outcomes.findIndex((list) => list.some((outcome) => outcome.id === id));
    return account < 0 ? undefined : { account, number: outcomes[account].findIndex((outcome) => outcome.id === id) };
  }

  key(event, id) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey && step && !event.ctrlKey && !event.metaKey) {
      this.step(id, step);
      return true;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const action = {
      e: () => this.edit(id),
      w: () => this.wordings(id),
      Delete: () => this.drop(id),
      ContextMenu: () => this.menu(id, this.reading.text.built.get(id).number),
      F10: () => event.shiftKey && this.menu(id, this.reading.text.built.get(id).number),
    }[event.key];
    if (!action) return false;
    action();
    return true;
  }

  marks(accounts) {
    return accounts.flatMap((account) => [mark(this.reading.view.index.get(account)), " "]);
  }

  drop(id) {
    return this.decide({ kind: "drop", sentence: id }, "Dropped. Undo brings it back.");
  }

  step(id, step) {
    const at = this.all.findIndex((sentence) => sentence.id === id);
    if (this.all[at + step]) this.place(id, at + step);
  }

  // Move a sentence to an index.
  place(id, at) {
    const others = this.all.filter((sentence) => sentence.id !== id);
    if (this.all[at]?.id === id) return;
    this.decide({ kind: "move", sentence: id, after: at > 0 ? others[at - 1].id : "" }, `Moved to place ${at + 1}.`);
  }

  // Dialogs

  async edit(id) {
    const sentence = this.find(id);
    const text = await this.askForText({
      title: "Edit the sentence",
      value: sentence.text,
      hint: "Words that you type are marked as your own and checked against the sources; unchanged words keep their sources.",
      ready: (value) => value.trim() !== "" && value.trim() !== sentence.text,
    });
    if (text) await this.decide({ kind: "edit", sentence: id, text }, "Changed. It is being checked.");
  }

  async write(id) {
    const text = await this.askForText({ title: "Write a sentence", hint: "It follows this one, is marked as your own, and is checked against the sources." });
    if (text) await this.decide({ kind: "write", after: id, text }, "Written. It is being checked.", id);
  }

  async headline() {
    const { title } = this.project.consolidation;
    const text = await this.askForText({ title: "Change the headline", value: title || "", rows: 2 });
    if (text) await this.decide({ kind: "headline", text }, "Changed.", null);
    this.reading.headline.focus();
  }

  // Show the verdict on a sentence that a person edited.
  async explain(id) {
    const { text, verdict: checked } = this.find(id);
    const characters = [...text];
    const { index, documents } = this.reading.view;
    const sources = { place: (account) => index.get(account), named: (account) => nameOf(documents[index.get(account)]) };
    const edit = await ask({
      title: "Your words and the sources",
      body: verdictParts({ verdict: "waiting", unsupported: [], ...checked, start: 0, end: characters.length }, characters, sources),
      actions: [["Close", null, true], ["Edit …", true]],
    });
    if (edit) await this.edit(id);
  }

  askForText({ title, value = "", hint = "", rows = 5, ready = (text) => text.trim() !== "" }) {
    const name = unique("typed");
    const area = h("textarea", { id: name, rows, class: "reading", dir: "auto", value, autofocus: true });
    area.addEventListener("input", () => area.dispatchEvent(new Event("change", { bubbles: true })));
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) area.closest("dialog").querySelector("button.primary").click();
    });
    const actions = [["Save", () => area.value.trim(), true, () => ready(area.value)], ["Cancel", null]];
    return ask({ title, body: [h("label", { for: name, class: "unseen" }, title), area, h("p", { class: "faint" }, hint)], actions, unsaved: () => area.value.trim() !== value.trim() });
  }

  async split(id) {
    const { text, tokens } = this.find(id);
    const characters = [...text];
    const part = (from, to) => characters.slice(from, to).join("").trim();
    const name = unique("split");
    const middle = Math.max(1, splitPlace(characters, tokens));
    const slider = h("input", { type: "range", id: name, min: 1, max: tokens.length - 1, step: 1, value: middle });
    slider.value = middle;
    const parts = h("div", { class: "parts", role: "status" });
    const draw = () => {
      const { start } = tokens[Number(slider.value)];
      slider.setAttribute("aria-valuetext", `before “${part(start, tokens[Number(slider.value)].end)}”`);
      fill(parts, h("p", { class: "reading card" }, part(0, start)), h("p", { class: "reading card" }, part(start)));
    };
    slider.addEventListener("input", draw);
    draw();
    const at = await ask({
      title: "Split the sentence",
      body: [h("label", { for: name }, "Where"), slider, parts],
      actions: [["Split it", () => tokens[Number(slider.value)].start, true], ["Cancel", null]],
    });
    if (at) await this.decide({ kind: "split", sentence: id, at }, "Split.");
  }

  async wordings(id) {
    const current = this.find(id);
    const name = unique("wording");
    const list = h("div", { class: "wordings", role: "radiogroup", "aria-label": "Wordings", "aria-busy": "true" }, h("p", { class: "faint" }, "Looking …"));
    const more = h("p", { class: "faint", role: "status" });
    const chosen = () => list.querySelector("input:checked")?.value ?? null;
    let offered = [];
    const draw = ({ wordings, waiting, problem }) => {
      const before = chosen();
      offered = wordings;
      fill(list, wordings.map((wording) => this.wording(wording, current, name, before ? wording.key === before : wording.current)));
      list.setAttribute("aria-busy", String(waiting));
      const none = wordings.length < 2 ? "There is no other wording of this sentence. You can edit it freely." : "";
      fill(more, waiting ? "Another wording is being made …" : problem ? sentence(`a model could not be asked: ${problem}`) : none);
      list.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const load = (retry) => this.project.server.wordings(this.project.id, id, retry).then(draw, (error) => fill(more, sentence(error.message)));
    this.waiting = { id, load };
    load(true);
    const key = await ask({
      title: "Other wordings",
      body: [list, more],
      actions: [["Use this", chosen, true, () => list.querySelector("input:checked:not([data-current])") !== null], ["Cancel", null]],
      wide: true,
    });
    this.waiting = null;
    if (key === null) return;
    const { text, accounts } = offered.find((wording) => wording.key === key);
    const prediction = { text, accounts: accounts.map((account) => this.reading.view.index.get(account)) };
    await this.decide({ kind: "word", sentence: id, wording: key, prediction }, "Worded otherwise.");
  }

  wording({ key, kind, text, accounts, current }, sentence, name, checked) {
    const difference = current ? text : renderDiff(sentence.text, text, { removed: null, added: "not in the present wording" });
    return h(
      "label",
      { class: "card" },
      h("span", { class: "title" }, h("input", { type: "radio", name, value: key, checked, "data-current": current }), ` ${KINDS[kind] || kind} `, this.marks(accounts), current ? " (now in the text)" : ""),
      h("span", { class: "reading", dir: "auto" }, difference),
    );
  }

  // A model has finished a wording: load the wordings again if they are shown.
  refreshWordings(id) {
    if (this.waiting?.id === id) this.waiting.load(false);
  }

  // Conflicts between sources

  async settle(id, focus = null) {
    const { claims, why, settled } = this.reading.view.conflicts.get(id);
    const name = unique("settle");
    const written = h("input", { type: "text", id: unique("words"), "aria-label": "In your words", dir: "auto", placeholder: "Leave empty to name all with their sources" });
    const attribute = h("input", { type: "checkbox", id: unique("attribute") });
    const option = (value, checked, ...label) => h("label", { class: "choice-line" }, h("input", { type: "radio", name, value, checked }), " ", label);
    const places = claims.map((claim, index) => {
      const [source, words] = claimParts(this.reading, claim);
      return option(`one ${index}`, settled?.how === "one" && (settled.claim ?? 0) === index, h("span", {}, "Only ", source, ": ", h("q", { dir: "auto" }, claim.text), h("span", { class: "reading claim-sentence", dir: "auto" }, words)));
    });
    const form = h(
      "div",
      { role: "radiogroup", "aria-label": "Settle" },
      option("both", !settled || settled.how === "both", "Keep both: one in the text, the other in a note after it"),
      places,
      h("div", { class: "choice-line whose" }, attribute, " ", h("label", { for: attribute.id }, "Name the source in the text")),
      option("write", settled?.how === "write", "Write it out"),
      written,
    );
    const enable = () => {
      const choice = form.querySelector("input:checked").value;
      attribute.disabled = !choice.startsWith("one");
      written.disabled = choice !== "write";
    };
    form.addEventListener("change", enable);
    enable();
    const decision = () => {
      const [how, claim] = form.querySelector("input[type=radio]:checked").value.split(" ");
      const base = { kind: "settle", dispute: id, how, prediction: this.predictionOfConflict(id) };
      if (how === "one") return { ...base, claim: Number(claim), attribute: attribute.checked };
      return how === "write" && written.value.trim() ? { ...base, text: written.value.trim() } : base;
    };
    const chosen = await ask({ title: "The sources disagree", body: [h("p", {}, sentence(why)), form], actions: [["Settle it", decision, true], ["Cancel", null]], unsaved: () => written.value.trim() !== "" });
    const back = () => (focus ? this.reading.text.focusOn(focus) : this.reading.notes.focusOn(id));
    if (chosen) await this.project.decide(chosen, "Settled.", back);
    else back();
  }

  // Return a conflict for predictions.js; it may have changed since the dialog opened.
  predictionOfConflict(id) {
    const { kind, claims, settled } = this.reading.view.conflicts.get(id) || {};
    return { claims: claims?.map((claim) => this.claimWords(claim, kind)), settled };
  }

  // A claim with its words: one that begins a source sentence loses its capital. The words are null
  // if its first word has more capitals, as only the server knows whether it keeps them.
  claimWords({ document: name, start, end, text }, kind) {
    const account = this.reading.view.index.get(name);
    const words = this.reading.sourcePane.textOf(account, start, end);
    const opens = kind !== "name" && this.reading.view.documents[account].sentences.some(([first]) => first === start);
    const lowered = words.replace(/^./u, (letter) => letter.toLowerCase());
    const hasOtherCapitals = /^\S*\p{Lu}/u.test(lowered);
    return { account, start, end, text, words: !opens ? words : hasOtherCapitals ? null : lowered };
  }

  // The menu of a source sentence

  sourceMenu(place, anchor) {
    const { view } = this.reading;
    const { id, fate: outcome, into, why, decision } = view.outcomes[place.account]?.[place.number] || {};
    if (!id) return;
    const isInText = outcome === "kept" || outcome === "merged";
    const decided = this.project.consolidation.decisions.find(({ number }) => number === decision);
    const where = into.filter((sentenceId) => view.numbers.has(sentenceId));
    openMenu(anchor, {
      label: `In the source: ${this.reading.status.sentenceName(place)}`,
      note: [h("p", {}, this.reading.status.sourceLine(place)), decided && decided.label !== why ? h("p", { class: "faint" }, decided.label) : null],
      items: [
        !isInText && { label: outcome === "unused" ? "Add to the text (restore)" : "Add to the text", run: () => this.add(id, place) },
        { label: "Not part of the story", run: () => this.exclude(id, place), disabled: outcome === "unused" && Boolean(decision) },
        { label: "Another source says otherwise …", run: () => this.reading.marker.begin(place) },
        ...where.slice(0, 3).map((sentenceId) => ({ label: `Go to sentence ${view.numbers.get(sentenceId)}`, run: () => this.reading.text.focusOn(sentenceId) })),
      ].filter(Boolean),
    });
  }

  add(source, place = null) {
    return this.aboutSource({ kind: "tell", source, prediction: this.prediction(source) }, "Added to the text.", place);
  }

  // Return a source sentence for predictions.js; nothing if it was in the text before.
  prediction(source) {
    const { documents, outcomes } = this.reading.view;
    const account = outcomes.findIndex((list) => list.some(({ id }) => id === source));
    const rank = new Map(outcomes[account]?.map(({ id }, place) => [id, place]));
    const { fate: outcome, decision } = outcomes[account]?.[rank.get(source)] || {};
    if (decision || !["redundant", "unused"].includes(outcome)) return {};
    const [start, end] = documents[account].sentences[rank.get(source)];
    return { account, start, rank, words: this.reading.sourcePane.textOf(account, start, end) };
  }

  exclude(source, place = null) {
    return this.aboutSource({ kind: "exclude", source }, "Left out.", place);
  }

  aboutSource(decision, message, place) {
    return this.project.decide(decision, message, () => {
      if (place) this.reading.sourcePane.focusOn(place);
      else this.reading.text.refocus();
      if (decision.kind === "tell") this.reading.flash(decision.source);
    });
  }
}

// The index of the word to split before: after a comma or dash, or else in the middle.
function splitPlace(characters, tokens) {
  const middle = characters.length / 2;
  const places = tokens.map(({ start }, place) => ({ place, distance: Math.abs(start - middle), isAfterComma: place > 0 && /[,;:–—]\s*$/.test(characters.slice(0, start).join("")) }));
  const best = (list) => list.sort((first, other) => first.distance - other.distance)[0]?.place;
  return best(places.filter(({ isAfterComma }) => isAfterComma)) ?? best(places) ?? 1;
}
