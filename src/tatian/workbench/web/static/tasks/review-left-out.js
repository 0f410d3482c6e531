// The end of the review page: source sentences that are not in the text, and why.
//
//   const leftOut = new LeftOut(page);  leftOut.node;  leftOut.draw()

import { button, h, unique } from "../core/dom.js";
import { direction } from "../core/direction.js";
import { callBack } from "./review-beside.js";

export class LeftOut {
  constructor(page) {
    const places = page.sources.leftOut();
    const heading = unique("left-out");
    this.calls = places.map((place) => callBack(page, { ...place }));
    this.node = h("section", { class: "left-out", "aria-labelledby": heading },
      h("h2", { id: heading }, "Not in the text"),
      places.length
        ? h("ul", { class: "sources" }, places.map((place, index) => this.item(page, place, this.calls[index])))
        : h("p", { class: "faint" }, "Every source sentence is in the text."));
  }

  item(page, place, call) {
    const { sources } = page;
    const [said] = place.into;
    return h("li", { class: "card" },
      h("p", { class: "who" }, sources.name(place), " · ", sources.fate(place), place.why ? ` (${place.why})` : ""),
      h("p", { class: "reading", dir: direction(place.text) }, place.text),
      h("div", { class: "does" }, call.node,
        said === undefined ? null : button(`Go to sentence ${said + 1}`, () => page.go(said), { class: "plain" })));
  }

  draw() {
    this.calls.forEach((call) => call.draw());
  }
}
