// The direction of a text by its first letter; dir="auto" would count labels for screen readers too.
//
//   direction(text)   "rtl" or "ltr"

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function direction(text) {
  const first = text.match(LETTER);
  return first && RIGHT_TO_LEFT.test(first[0]) ? "rtl" : "ltr";
}
