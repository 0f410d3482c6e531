// Beside the open sentence: where accounts contradict each other, and the source sentences.
//
//   drawSources(page, index, places, words) -> {node, draw()}
//   callBack(page, place) -> {node, draw()}   the button that calls a source sentence back;
//                                             to be drawn before it is shown

import { button, h } from "../core/dom.js";

const ABOUT = { number: "On a number", date: "On a date", name: "On a name", polarity: "On whether it is so" };

export function drawSources(page, index, places, words) {
  const { sources } = page;
  const calls = [];
  const item = (place) => {
    const out = place.fate === "redundant" || place.fate === "unused";
    const call = out ? callBack(page, place) : null;
    if (call) calls.push(call);
    return h("li", { class: out ? "out" : null },
      h("p", { class: "who" }, sources.name(place), " · ", sources.fate(place, index), out && place.why ? ` (${place.why})` : ""),
      words.texts.get(place.key),
      call?.node);
  };
  const disputes = sources.disputes(index).map((one) => disputed(page.content, one));
  const node = h("div", { class: "behind" },
    disputes.length ? h("section", { class: "differ" }, h("h4", {}, "Accounts differ"), h("ul", {}, disputes)) : null,
    h("section", {}, h("h4", {}, "Sources"), h("ul", { class: "sources" }, places.map(item))));
  return { node, draw: () => calls.forEach((call) => call.draw()) };
}

function disputed({ accounts }, { kind, why, claims = [] }) {
  const said = claims.map(([account, sentence, start, end], place) => {
    const { letter, sentences } = accounts[account];
    const quoted = [...sentences[sentence].text].slice(start, end).join("");
    return [place ? "; " : " ", h("b", {}, letter), " says ", h("bdi", {}, `“${quoted}”`)];
  });
  return h("li", {}, `${ABOUT[kind] || kind}:`, said, why ? h("span", { class: "faint" }, ` (${why})`) : null);
}

export function callBack(page, place) {
  const node = button("Should be in the text", () => page.call(place.key), { class: "call", disabled: page.readonly });
  const draw = () => node.setAttribute("aria-pressed", String(page.missing.has(place.key)));
  return { node, draw };
}
