// What is known of the current phrase, what can be done with it, and what the rules say.
//
//   const panel = new Panel(words, markup, {act(name), jump(id), readonly})
//   panel.show({mention, selection, notes, phrases})   selection: [first, last] words

import { button, fill, h } from "../../core/dom.js";

const ACTIONS = [
  ["mark", "Mark", "Enter", "Mark the chosen words as a phrase"],
  ["widen", "Wider", "W", "Choose the next wider phrase around the cursor"],
  ["link", "Link …", "L", "Say which phrase it is the same as"],
  ["optional", "Optional", "O", "Whether the link is uncertain"],
  ["head", "Set MIN", "M", "Make the chosen words its MIN"],
  ["extent", "Set borders", "B", "Give the phrase the borders of the chosen words"],
  ["unlink", "Take out", "U", "Take it out of its chain"],
  ["split", "Split", "S", "Make a chain of its own of this and all later phrases"],
  ["remove", "Delete", "Delete", "Take the mark away"],
];
export const KEYS = [
  ["← → ↑ ↓", "Go from word to word; with Shift choose words"],
  ["Ctrl ← →", "Paragraph by paragraph"],
  ...ACTIONS.map(([, , key, text]) => [key, text]),
  ["J, K", "Next and previous marked phrase"],
  ["I", "The phrase around, where phrases lie in each other"],
  ["N", "Next phrase with a note"],
  ["Escape", "Leave the choice of an antecedent; choose nothing"],
];
const MOST = 30;

export class Panel {
  constructor(words, markup, { act, jump }) {
    Object.assign(this, { words, markup, act, jump });
    this.buttons = new Map(
      ACTIONS.map(([name, text, key, title]) => [
        name,
        button(text, () => act(name), { title: `${title} (${key})`, "aria-keyshortcuts": key }),
      ]),
    );
    this.previous = button("‹", () => act("previous"), {
      "aria-label": "Previous phrase",
      "aria-keyshortcuts": "K",
    });
    this.following = button("›", () => act("next"), {
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
      this.following,
      [...this.buttons.values()],
    );
    this.found = new Map();
    this.sign = "";
  }

  show({ mention, selection, notes, complete }) {
    const chosen = selection[1] > selection[0];
    const linked = Boolean(mention) && this.markup.linked(mention);
    const others = linked && this.markup.members(mention.chain);
    const certain = linked && others.some((one) => one !== mention && !one.optional);
    const inside = mention && selection[0] >= mention.first && selection[1] <= mention.last;
    const enabled = {
      mark: true,
      widen: true,
      link: Boolean(mention) && this.markup.order.length > 1,
      optional: certain,
      head: Boolean(inside),
      extent: Boolean(mention),
      unlink: linked,
      split: linked && others[0] !== mention,
      remove: Boolean(mention),
    };
    for (const [name, node] of this.buttons) node.disabled = !enabled[name];
    this.buttons.get("optional").setAttribute("aria-pressed", String(Boolean(mention?.optional)));
    this.previous.disabled = this.following.disabled = !this.markup.order.length;
    fill(this.body, mention ? this.described(mention, linked, others, notes) : this.nothing(selection, chosen));
    this.all(notes, complete);
  }

  nothing([first, last]) {
    const words = this.words.shown(this.words.start(first), this.words.end(last));
    return [
      h("p", { class: "phrase" }, "Chosen: ", h("bdi", {}, `“${words}”`)),
      h("p", { class: "hint" }, "Drag over a phrase to mark it, or press Enter."),
    ];
  }

  described(mention, linked, others, notes) {
    const { start, end, head } = mention;
    const least = head ? this.words.shown(...head) : "the whole phrase";
    const said = notes.get(String(mention.id)) || [];
    return [
      h("p", { class: "phrase" },
        h("b", { class: "number" }, String(mention.chain)), " ",
        h("bdi", {}, `“${this.words.shown(start, end)}”`)),
      h("p", {}, "MIN: ", head ? h("bdi", {}, `“${least}”`) : least),
      h("p", {}, linked ? this.relation(mention, others) : "Not linked yet."),
      said.length
        ? h("ul", { class: "notes-here" }, said.map((note) => h("li", { class: note.severity }, noteText(note))))
        : null,
    ];
  }

  relation(mention, others) {
    const place = others.indexOf(mention);
    const optional = mention.optional ? ", optional" : "";
    const size = `phrase ${place + 1} of ${others.length} in chain ${mention.chain}${optional}`;
    const before = others.slice(0, place).filter((one) => !one.optional).at(-1);
    if (!before) return [size];
    return [`${size}; antecedent: `, h("bdi", {}, `“${this.words.shown(before.start, before.end, 40)}”`)];
  }

  all(notes, complete) {
    this.found = notes;
    const count = [...notes.values()].reduce((sum, list) => sum + list.length, 0);
    const sign = `${count} ${complete}`;
    if (!this.notes.firstChild) this.notes.append(h("summary", {}));
    if (sign !== this.sign) {
      const left = complete ? "" : " (rules of form only)";
      this.notes.firstChild.textContent = `Notes by the rules: ${count}${left}`;
    }
    this.sign = sign;
    if (this.notes.open) this.fillNotes();
  }

  fillNotes() {
    this.notes.querySelector("ul")?.remove();
    if (!this.notes.open) return;
    const listed = this.markup.order.flatMap((id) =>
      (this.found.get(String(id)) || []).map((note) => [id, note]));
    this.notes.append(
      h("ul", {},
        listed.slice(0, MOST).map(([id, note]) =>
          h("li", { class: note.severity }, button(noteText(note), null, { "data-mention": id }))),
        listed.length > MOST && h("li", { class: "hint" }, `and ${listed.length - MOST} more`)),
    );
  }
}

export function noteText({ section, message, advice }) {
  return `§${section}: ${message}${advice ? ` – ${advice}` : ""}`;
}
