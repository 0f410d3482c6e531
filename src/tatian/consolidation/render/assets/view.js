/* Showing a selection: switch classes on, bring the places into view, write the line. */

const root = document.documentElement;
const strip = document.querySelector(".strip");
const clearButton = document.getElementById("clear");
const sheetButton = document.getElementById("sheet");
const REST = 140; /* milliseconds the pointer rests before the accounts scroll */

let held = null; /* the selection the reader holds on to; pointing elsewhere does not change it */
let painted = [];
let resting = 0;

const wide = () => matchMedia("(min-width: 75rem)").matches;

/* Short ways are travelled, long ones jumped. */
const motion = (distance) =>
  matchMedia("(prefers-reduced-motion: reduce)").matches || Math.abs(distance) > 2 * innerHeight ? "instant" : "smooth";

const paint = (node, className) => {
  node.classList.add(className);
  painted.push([node, className]);
};

const blankBefore = (node) => {
  const before = node.previousSibling ?? node.parentElement.previousSibling;
  return before?.nodeType === Node.TEXT_NODE && !before.data.trim();
};

/* Whether the second of two neighbours starts a line; accounts out of sight are not measured. */
const startsLine = (before, node) => {
  const account = node.closest(".account");
  return (!account || inSight.has(account)) && before.offsetTop !== node.offsetTop;
};

/* Neighbours that are both lit look like one phrase: the blank between them is lit too. */
const light = (list, numbered) => {
  const lit = new Set(numbered);
  for (const number of lit) {
    const [before, node] = [list[number - 1], list[number]];
    paint(node, "lit");
    if (lit.has(number - 1) && blankBefore(node) && !startsLine(before, node)) paint(node, "joined");
  }
};

const erase = () => {
  for (const [node, className] of painted) node.classList.remove(className);
  painted = [];
  for (const button of document.querySelectorAll(".chain[aria-pressed=true]")) button.setAttribute("aria-pressed", "false");
};

/* The first thing to look at in each account that the picture touches. Accounts out of sight are
   left alone until they come into sight: with hundreds of them, measuring all would be slow. */
let places = new Map();
const inSight = new Set();

const scrollToPlace = (account) => {
  const place = places.get(account)?.getBoundingClientRect();
  if (!place) return;
  const box = account.getBoundingClientRect();
  const top = box.top + account.firstElementChild.offsetHeight;
  if (place.top >= top && place.bottom <= Math.min(box.bottom, innerHeight)) return;
  const distance = place.top - top - (box.bottom - top) * 0.3;
  account.scrollBy({ top: distance, behavior: motion(distance) });
};

const watcher = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    if (!isIntersecting) inSight.delete(target);
    else if (inSight.add(target)) scrollToPlace(target);
  }
}, { root: strip });
nodes.accounts.forEach((account) => watcher.observe(account));

const placesOf = (picture) => {
  const found = new Map();
  const note = (node) => {
    const account = node.closest(".account");
    if (!found.has(account)) found.set(account, node);
  };
  picture.pieces.forEach((piece) => note(nodes.pieces[piece]));
  [...picture.sentences, ...picture.kin].forEach((sentence) => note(nodes.sentences[sentence]));
  return found;
};

const overflows = () => strip.scrollWidth > strip.clientWidth + 1;

const whollyInStrip = (account) => {
  const frame = strip.getBoundingClientRect();
  const box = account.getBoundingClientRect();
  return box.left >= frame.left - 1 && box.right <= frame.right + 1;
};

const revealAccounts = (narrow) => {
  if (narrow && places.size && overflows()) {
    strip.classList.add("narrowed");
    strip.scrollLeft = 0;
  }
  const shown = nodes.accounts.filter((account) => places.has(account) && !account.hidden);
  if (shown.length && !shown.some(whollyInStrip)) {
    const distance = shown[0].offsetLeft - strip.offsetLeft - strip.scrollLeft;
    strip.scrollBy({ left: distance, behavior: motion(distance) });
  }
  for (const account of inSight) scrollToPlace(account);
};

const revealText = (picture) => {
  const spots = [...picture.words.map((word) => nodes.words[word]), ...picture.verses.map((verse) => nodes.verses[verse])];
  const foot = innerHeight - parseFloat(getComputedStyle(root).scrollPaddingBottom || 0);
  const visible = (node) => {
    const box = node.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= foot;
  };
  if (!spots.length || spots.some(visible)) return;
  spots[0].scrollIntoView({ block: "center", behavior: motion(spots[0].getBoundingClientRect().top) });
};

/* `hold`: keep it until it is cleared. `travel`: the text may scroll too, since the reader asked. */
const show = (selection, { hold = false, travel = false, rest = 0 } = {}) => {
  clearTimeout(resting);
  erase();
  if (hold) held = selection;
  clearButton.hidden = !held;
  strip.classList.remove("narrowed");
  places.clear();
  say(selection);
  if (!selection) return;
  const picture = pictureOf(selection);
  light(nodes.words, picture.words);
  picture.verses.forEach((verse) => paint(nodes.verses[verse], "lit"));
  picture.sentences.forEach((sentence) => paint(nodes.sentences[sentence], "lit"));
  picture.kin.forEach((sentence) => paint(nodes.sentences[sentence], "kin"));
  light(nodes.pieces, picture.pieces);
  places = placesOf(picture);
  for (const account of places.keys()) paint(account, "has");
  if (selection.type === "chain") {
    for (const button of document.querySelectorAll(`.chain[data-chain="${selection.number}"]`)) button.setAttribute("aria-pressed", "true");
  }
  if (hold && !wide() && (picture.pieces.length || picture.sentences.length)) openSheet(true);
  if (travel) revealText(picture);
  if (rest) resting = setTimeout(revealAccounts, rest, false);
  else revealAccounts(hold);
};

const clear = () => {
  held = null;
  show(null);
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/* Hold the selection, or let it go if it is held already. */
const toggle = (selection, options) => (same(held, selection) ? clear() : show(selection, { hold: true, ...options }));

const openSheet = (open) => {
  root.classList.toggle("open", open);
  sheetButton.setAttribute("aria-expanded", String(open));
  sheetButton.textContent = open ? "Close" : "Accounts";
};
