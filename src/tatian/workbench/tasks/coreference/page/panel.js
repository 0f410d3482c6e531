// The panel of the current phrase: its data, the possible actions, and the remarks of the rules.
//
//   const panel = new Panel(words, markup, {runCommand(name), jump(id)})
//   panel.show({mention, selection, notes, complete})   selection: [first, last] words

import { button, fill, h } from "../../core/dom.js";

const ACTIONS = [
  ["mark", "Mark", "Enter", "Mark the chosen words as a phrase"],
  ["widen", "Wider", "W", "Choose the next wider phrase around the cursor"],
  ["link", "Link …", "L", "Say which phrase it is the same as"],
  ["optional", "Optional", "O", "Whether the link is uncertain"],
  ["head", "Set MIN", "M", "Make the chosen words its MIN"],
  ["extent", "Set borders", "B", "Give the phrase the borders of the chosen words"],
  ["unlink", "Take out", "U", "Remove it from its chain"],
  ["split", "Split", "S", "Make a new chain of this and all later phrases"],
  ["remove", "Delete", "Delete", "Delete the mark"],
];
export const KEYS = [
  ["← → ↑ ↓", "Go from word to word; with Shift choose words"],
  ["Ctrl ← →", "Paragraph by paragraph"],
  ...ACTIONS.map(([, , key, text]) => [key, text]),
  ["J, K", "Next and previous marked phrase"],
  ["I", "The enclosing phrase"],
  ["N", "Next phrase with a note"],
  ["Escape", "Close the choice of an antecedent; clear the selection"],
];
const MOST_NOTES = 30;

export class Panel {
  constructor(words, markup, { runCommand, jump }) {
    Object.assign(this, { words, markup, runCommand, jump });
    this.buttons = new Map(
      ACTIONS.map(([name, text, key, title]) => [
        name,
        button(text, () => runCommand(name), { title: `${title} (${key})`, "aria-keyshortcuts": key }),
      ]),
    );
    this.previous = button("‹", () => runCommand("previous"), {
      "aria-label": "Previous phrase",
      "aria-keyshortcuts": "K",
    });
    this.next = button("›", () => runCommand("next"), {
      "aria-label": "Next phrase",
      "aria-keyshortcuts": "J",
    });
    this.body = h("div", { class: "current" });
    this.notes = h("details", { class: "all-notes" });
    this.notes.addEventListener("toggle", () => this.fillNotes());
    this.notes.addEventListener("click", (event) => {
      const chosen = event.target.closest("[data-mention]");
      if (chosen) jump(Number(chosen.dataset.mention));
    });
    this.tools = h(
      "div",
      { class: "acts", role: "group", "aria-label": "What to do" },
      this.previous,
      this.next,
      [...this.buttons.values()],
    );
    this.allNotes = new Map();
    this.summary = "";
  }

  show({ mention, selection, notes, complete }) {
    const chosen = selection[1] > selection[0];
    const isLinked = Boolean(mention) && this.markup.isLinked(mention);
    const others = isLinked && this.markup.members(mention.chain);
    const hasCertain = isLinked && others.some((other) => other !== mention && !other.optional);
    const isInside = mention && selection[0] >= mention.first && selection[1] <= mention.last;
    const enabled = {
      mark: true,
      widen: true,
      link: Boolean(mention) && this.markup.order.length > 1,
      optional: hasCertain,
      head: Boolean(isInside),
      extent: Boolean(mention),
      unlink: isLinked,
      split: isLinked && others[0] !== mention,
      remove: Boolean(mention),
    };
    for (const [name, node] of this.buttons) node.disabled = !enabled[name];
    this.buttons.get("optional").setAttribute("aria-pressed", String(Boolean(mention?.optional)));
    this.previous.disabled = this.next.disabled = !this.markup.order.length;
    fill(this.body, mention ? this.mentionNodes(mention, isLinked, others, notes) : this.selectionNodes(selection, chosen));
    this.updateNotes(notes, complete);
  }

  selectionNodes([first, last]) {
    const words = this.words.shorten(this.words.start(first), this.words.end(last));
    return [
      h("p", { class: "phrase" }, "Chosen: ", h("bdi", {}, `“${words}”`)),
      h("p", { class: "hint" }, "Drag over a phrase to mark it, or press Enter."),
    ];
  }

  mentionNodes(mention, isLinked, others, notes) {
    const { start, end, head } = mention;
    const minimum = head ? this.words.shorten(...head) : "the whole phrase";
    const ownNotes = notes.get(String(mention.id)) || [];
    return [
      h("p", { class: "phrase" },
        h("b", { class: "number" }, String(mention.chain)), " ",
        h("bdi", {}, `“${this.words.shorten(start, end)}”`)),
      h("p", {}, "MIN: ", head ? h("bdi", {}, `“${minimum}”`) : minimum),
      h("p", {}, isLinked ? this.relation(mention, others) : "Not linked yet."),
      ownNotes.length
        ? h("ul", { class: "notes-here" }, ownNotes.map((note) => h("li", { class: note.severity }, noteText(note))))
        : null,
    ];
  }

  relation(mention, others) {
    const index = others.indexOf(mention);
    const optional = mention.optional ? ", optional" : "";
    const size = `phrase ${index + 1} of ${others.length} in chain ${mention.chain}${optional}`;
    const antecedent = others.slice(0, index).filter((other) => !other.optional).at(-1);
    if (!antecedent) return [size];
    return [`${size}; antecedent: `, h("bdi", {}, `“${this.words.shorten(antecedent.start, antecedent.end, 40)}”`)];
  }

  updateNotes(notes, complete) {
    this.allNotes = notes;
    const count = [...notes.values()].reduce((sum, list) => sum + list.length, 0);
    const summary = `${count} ${complete}`;
    if (!this.notes.firstChild) this.notes.append(h("summary", {}));
    if (summary !== this.summary) {
      const limits = complete ? "" : " (rules of form only)";
      this.notes.firstChild.textContent = `Notes by the rules: ${count}${limits}`;
    }
    this.summary = summary;
    if (this.notes.open) this.fillNotes();
  }

  fillNotes() {
    this.notes.querySelector("ul")?.remove();
    if (!this.notes.open) return;
    const listed = this.markup.order.flatMap((id) =>
      (this.allNotes.get(String(id)) || []).map((note) => [id, note]));
    this.notes.append(
      h("ul", {},
        listed.slice(0, MOST_NOTES).map(([id, note]) =>
          h("li", { class: note.severity }, button(noteText(note), null, { "data-mention": id }))),
        listed.length > MOST_NOTES && h("li", { class: "hint" }, `and ${listed.length - MOST_NOTES} more`)),
    );
  }
}

export function noteText({ section, message, advice }) {
  return `§${section}: ${message}${advice ? ` – ${advice}` : ""}`;
}
