// The list of chains beside the text, and of marked phrases without a link.
//
//   const list = new ChainList(words, markup, {jump(id)})
//   list.node   list.sync(current)   current: a mention, whose chain is unfolded, or null

import { button, fill, h } from "../../core/dom.js";
import { colour } from "./text.js";
import { compareMentions } from "./model.js";

const MOST_MEMBERS = 200;

export class ChainList {
  constructor(words, markup, { jump }) {
    Object.assign(this, { words, markup, jump });
    this.items = new Map();
    this.list = h("ol", { class: "chains" });
    this.count = h("span", { class: "counted" });
    this.unlinked = h("details", { class: "alone" });
    this.unlinked.addEventListener("toggle", () => this.fillUnlinked());
    this.empty = h("p", { class: "hint" }, "No chains yet: link two marked phrases.");
    const heading = h("h3", { id: "coref-chains" }, "Chains ", this.count);
    this.node = h(
      "section",
      { class: "coref-chains", "aria-labelledby": "coref-chains" },
      heading,
      this.empty,
      this.list,
      this.unlinked,
    );
    this.node.addEventListener("click", (event) => {
      const chosen = event.target.closest("[data-mention]");
      if (chosen) this.jump(Number(chosen.dataset.mention));
    });
  }

  sync(current = null) {
    const firstMentions = this.firstMentions();
    for (const [chain, item] of this.items) {
      if (firstMentions.has(chain)) continue;
      item.node.remove();
      this.items.delete(chain);
    }
    let place = this.list.firstElementChild;
    for (const [chain, first] of firstMentions) {
      const item = this.getItem(chain);
      if (place && place.nextElementSibling === item.node) place = this.moveToEnd(place);
      if (place === item.node) place = place.nextElementSibling;
      else this.list.insertBefore(item.node, place);
      this.draw(item, chain, first, current?.chain === chain ? current : null);
    }
    const count = String(firstMentions.size);
    if (this.count.textContent !== count) this.count.textContent = count;
    this.empty.hidden = firstMentions.size > 0;
    this.drawUnlinked();
  }

  // Move a chain that now begins later to the end, so that the others need not move.
  moveToEnd(node) {
    const next = node.nextElementSibling;
    this.list.append(node);
    return next;
  }

  // The first mention of each chain with several, in the order of the text.
  firstMentions() {
    const mentions = new Map();
    for (const id of this.markup.order) {
      const mention = this.markup.get(id);
      if (!mentions.has(mention.chain) && this.markup.isLinked(mention)) {
        mentions.set(mention.chain, mention);
      }
    }
    return mentions;
  }

  getItem(chain) {
    if (!this.items.has(chain)) {
      const node = h("li", {});
      this.items.set(chain, { node, appearance: "" });
    }
    return this.items.get(chain);
  }

  draw(item, chain, first, current) {
    const size = this.markup.chains.get(chain).size;
    const open = current ? this.markup.members(chain).map((mention) => mention.id).join(" ") : "";
    const appearance = `${first.id} ${first.start} ${first.end} ${size} ${open} ${current?.id ?? ""}`;
    if (item.appearance === appearance) return;
    item.appearance = appearance;
    const name = this.words.shorten(first.start, first.end, 40);
    const number = h("b", { class: "number" }, String(chain));
    number.style.borderColor = colour(chain);
    fill(
      item.node,
      h("button",
        {
          type: "button",
          "data-mention": first.id,
          "aria-expanded": String(Boolean(current)),
          "aria-label": `Chain ${chain}: ${name}, ${size} phrases`,
        },
        number, " ", h("bdi", {}, name), h("span", { class: "size" }, ` × ${size}`)),
      current && this.mentions(this.markup.members(chain), current),
    );
  }

  mentions(members, current) {
    return h(
      "ol",
      { class: "members" },
      members.slice(0, MOST_MEMBERS).map((mention) =>
        h("li", {},
          button(h("bdi", {}, this.words.shorten(mention.start, mention.end, 40)), null, {
            "data-mention": mention.id,
            "aria-current": mention.id === current?.id ? "true" : null,
          }),
          mention.optional && h("small", {}, " optional"))),
      members.length > MOST_MEMBERS && h("li", { class: "hint" }, `and ${members.length - MOST_MEMBERS} more`),
    );
  }

  unlinkedMentions() {
    const mentions = this.markup.order.map((id) => this.markup.get(id));
    return mentions.filter((mention) => !this.markup.isLinked(mention)).sort(compareMentions);
  }

  drawUnlinked() {
    let count = 0;
    for (const chain of this.markup.chains.values()) if (chain.size === 1) count += 1;
    this.unlinked.hidden = count === 0;
    if (this.unlinkedCount === count && !this.unlinked.open) return;
    this.unlinkedCount = count;
    if (!this.unlinked.firstChild) this.unlinked.append(h("summary", {}));
    this.unlinked.firstChild.textContent = `Not linked yet: ${count}`;
    if (this.unlinked.open) this.fillUnlinked();
  }

  fillUnlinked() {
    this.unlinked.querySelector("ol")?.remove();
    if (this.unlinked.open) this.unlinked.append(this.mentions(this.unlinkedMentions(), null));
  }
}
