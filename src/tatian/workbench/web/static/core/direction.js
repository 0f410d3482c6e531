// The direction of a text by its first letter, where dir="auto" would be misled by signs for screen
// readers that stand among its words.
//
//   direction(text)   "rtl" or "ltr"

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function direction(text) {
  const first = text.match(LETTER);
  return first && RIGHT_TO_LEFT.test(first[0]) ? "rtl" : "ltr";
}
