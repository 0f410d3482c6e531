// The accounts as they were given, to be opened where the sources of one sentence are not enough.
//
//   drawAccounts(page) -> node; the sentences are drawn when it is opened

import { button, fill, h } from "../core/dom.js";
import { direction } from "../core/direction.js";

export function drawAccounts(page) {
  return h("section", { class: "in-full" }, page.content.accounts.map((account, number) => {
    const body = h("ol", { class: "sources" });
    const draw = ({ target }) => {
      if (target.open && !body.hasChildNodes()) fill(body, account.sentences.map((_, place) => given(page, number, place)));
    };
    return h("details", { ontoggle: draw },
      h("summary", {}, "All of ", h("b", {}, account.letter), " ", h("bdi", {}, account.name)),
      body);
  }));
}

function given(page, account, sentence) {
  const place = page.sources.byKey.get(`${account}:${sentence}`);
  const moves = place.into.map((index) =>
    button(`Go to sentence ${index + 1}`, () => page.go(index), { class: "plain" }));
  return h("li", {},
    h("p", { class: "reading", dir: direction(place.text) }, place.text),
    h("p", { class: "who" }, page.sources.fate(place), " ", moves));
}
