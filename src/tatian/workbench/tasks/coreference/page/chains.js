// The list of chains beside the text; those of one phrase wait at the end to be linked.
//
//   const list = new ChainList(words, markup, {jump(id)})
//   list.node   list.sync(current)   current: a mention or null; its chain is unfolded

import { button, fill, h } from "../../core/dom.js";
import { colour } from "./text.js";
import { compare } from "./model.js";

const SHOWN = 200;

export class ChainList {
  constructor(words, markup, { jump }) {
    Object.assign(this, { words, markup, jump });
    this.items = new Map();
    this.list = h("ol", { class: "chains" });
    this.count = h("span", { class: "counted" });
    this.alone = h("details", { class: "alone" });
    this.alone.addEventListener("toggle", () => this.fillAlone());
    this.empty = h("p", { class: "hint" }, "No chains yet: link two marked phrases.");
    const heading = h("h3", { id: "coref-chains" }, "Chains ", this.count);
    this.node = h(
      "section",
      { class: "coref-chains", "aria-labelledby": "coref-chains" },
      heading,
      this.empty,
      this.list,
      this.alone,
    );
    this.node.addEventListener("click", (event) => {
      const chosen = event.target.closest("[data-mention]");
      if (chosen) this.jump(Number(chosen.dataset.mention));
    });
  }

  sync(current = null) {
    const firsts = this.firsts();
    for (const [chain, item] of this.items) {
      if (firsts.has(chain)) continue;
      item.node.remove();
      this.items.delete(chain);
    }
    let place = this.list.firstElementChild;
    for (const [chain, first] of firsts) {
      const item = this.item(chain);
      if (place && place.nextElementSibling === item.node) place = this.away(place);
      if (place === item.node) place = place.nextElementSibling;
      else this.list.insertBefore(item.node, place);
      this.draw(item, chain, first, current?.chain === chain ? current : null);
    }
    const count = String(firsts.size);
    if (this.count.textContent !== count) this.count.textContent = count;
    this.empty.hidden = firsts.size > 0;
    this.drawAlone();
  }

  // A chain that now begins further down: out of the way until its turn comes, so that only it moves.
  away(node) {
    const next = node.nextElementSibling;
    this.list.append(node);
    return next;
  }

  // The first mention of each chain of several, in the order of the text.
  firsts() {
    const found = new Map();
    for (const id of this.markup.order) {
      const mention = this.markup.get(id);
      if (!found.has(mention.chain) && this.markup.linked(mention)) {
        found.set(mention.chain, mention);
      }
    }
    return found;
  }

  item(chain) {
    if (!this.items.has(chain)) {
      const node = h("li", {});
      this.items.set(chain, { node, sign: "" });
    }
    return this.items.get(chain);
  }

  draw(item, chain, first, current) {
    const size = this.markup.chains.get(chain).size;
    const open = current ? this.markup.members(chain).map((one) => one.id).join(" ") : "";
    const sign = `${first.id} ${first.start} ${first.end} ${size} ${open} ${current?.id ?? ""}`;
    if (item.sign === sign) return;
    item.sign = sign;
    const name = this.words.shown(first.start, first.end, 40);
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
      members.slice(0, SHOWN).map((one) =>
        h("li", {},
          button(h("bdi", {}, this.words.shown(one.start, one.end, 40)), null, {
            "data-mention": one.id,
            "aria-current": one.id === current?.id ? "true" : null,
          }),
          one.optional && h("small", {}, " optional"))),
      members.length > SHOWN && h("li", { class: "hint" }, `and ${members.length - SHOWN} more`),
    );
  }

  singles() {
    const found = this.markup.order.map((id) => this.markup.get(id));
    return found.filter((one) => !this.markup.linked(one)).sort(compare);
  }

  drawAlone() {
    let count = 0;
    for (const chain of this.markup.chains.values()) if (chain.size === 1) count += 1;
    this.alone.hidden = count === 0;
    if (this.waiting === count && !this.alone.open) return;
    this.waiting = count;
    if (!this.alone.firstChild) this.alone.append(h("summary", {}));
    this.alone.firstChild.textContent = `Not linked yet: ${count}`;
    if (this.alone.open) this.fillAlone();
  }

  fillAlone() {
    this.alone.querySelector("ol")?.remove();
    if (this.alone.open) this.alone.append(this.mentions(this.singles(), null));
  }
}
