/* Pointer, keyboard and buttons. Listeners stand on containers, never on single words. */

const text = document.getElementById("text");
const accounts = document.getElementById("accounts");
const help = document.getElementById("help");

const selectionAt = (node) => {
  const word = node.closest("#text .w");
  if (word) return { type: "word", number: numbers.get(word), after: numbers.get(word) + 1 };
  const sentence = node.closest(".s");
  if (sentence) return { type: "sentence", number: numbers.get(sentence) };
  return null;
};

/* Pointing shows, unless something is held. */
for (const area of [text, accounts]) {
  area.addEventListener("pointerover", (event) => {
    const selection = event.pointerType === "mouse" && !held && selectionAt(event.target);
    if (selection) show(selection, { rest: REST });
  });
  area.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !held) show(null);
  });
}

const buttonSelection = ({ chain, dispute, claim, word, after }) => {
  if (chain !== undefined) return { type: "chain", number: Number(chain) };
  if (word !== undefined) return { type: "word", number: Number(word), after: Number(after) };
  if (dispute === undefined) return null;
  const selection = { type: "dispute", number: Number(dispute) };
  return claim === undefined ? selection : { ...selection, claim: Number(claim) };
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) {
    const selection = buttonSelection(button.dataset);
    if (selection) toggle(selection, { travel: true });
    return;
  }
  if (!getSelection().isCollapsed) return; /* the reader is copying text */
  const selection = selectionAt(event.target);
  if (selection) {
    stand(selection.type === "word" ? "words" : "sentences", selection.number, { preventScroll: true });
    toggle(selection, { travel: true });
  } else if (event.target.closest("#text, main") && !event.target.closest("a, label, summary")) {
    clear();
  }
});

/* One word and one source sentence are in the Tab order at a time; arrow keys move which. */
const standing = { words: 0, sentences: 0 };

const stand = (kind, number, focus = {}) => {
  const list = nodes[kind];
  if (!list.length) return;
  list[standing[kind]].removeAttribute("tabindex");
  standing[kind] = Math.max(0, Math.min(list.length - 1, number));
  const node = list[standing[kind]];
  node.tabIndex = 0;
  if (focus) node.focus(focus);
};

const firstIn = (kind, container) => numbers.get(container.querySelector(kind === "words" ? ".w" : ".s"));

const neighbour = (kind, groups, group, step) => {
  for (let next = group + step; next >= 0 && next < groups.length; next += step) {
    const first = groups[next].hidden ? undefined : firstIn(kind, groups[next]);
    if (first !== undefined) return first;
  }
  return standing[kind];
};

const wordMoves = {
  ArrowRight: (word) => word + 1,
  ArrowLeft: (word) => word - 1,
  ArrowDown: (word, verse) => neighbour("words", nodes.verses, verse, 1),
  ArrowUp: (word, verse) => {
    const start = firstIn("words", nodes.verses[verse]);
    return word > start ? start : neighbour("words", nodes.verses, verse, -1);
  },
  Home: (word, verse) => firstIn("words", nodes.verses[verse]),
  End: (word, verse) => numbers.get([...nodes.verses[verse].querySelectorAll(".w")].at(-1)),
};

const nextShown = (sentence, step) => {
  let next = sentence + step;
  while (nodes.sentences[next]?.closest("[hidden]")) next += step;
  return nodes.sentences[next] ? next : sentence;
};

const sentenceMoves = {
  ArrowDown: (sentence) => nextShown(sentence, 1),
  ArrowUp: (sentence) => nextShown(sentence, -1),
  ArrowRight: (sentence, account) => neighbour("sentences", nodes.accounts, account, 1),
  ArrowLeft: (sentence, account) => neighbour("sentences", nodes.accounts, account, -1),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "Escape") return clear();
  if (event.key === "?") return help.showModal();
  const selection = selectionAt(event.target);
  if (!selection) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    toggle(selection, { travel: true });
    return;
  }
  const isWord = selection.type === "word";
  const move = (isWord ? wordMoves : sentenceMoves)[event.key];
  if (!move) return;
  event.preventDefault();
  if (!isWord) strip.classList.remove("narrowed");
  const group = event.target.closest(isWord ? ".o" : ".account");
  stand(isWord ? "words" : "sentences", move(selection.number, numbers.get(group)));
});

/* Moving with the keys shows what one stands on, and lets go of what was held. */
document.addEventListener("focusin", (event) => {
  const selection = event.target.matches(":focus-visible") && selectionAt(event.target);
  if (!selection || same(selection, held)) return;
  held = null;
  show(selection, { travel: true });
});

/* Buttons */

clearButton.addEventListener("click", clear);
sheetButton.addEventListener("click", () => {
  const open = !root.classList.contains("open");
  openSheet(open);
  if (!open) clear();
});
document.getElementById("ask").addEventListener("click", () => help.showModal());

document.getElementById("colours").addEventListener("click", ({ currentTarget }) => {
  const plain = root.classList.toggle("plain");
  currentTarget.setAttribute("aria-pressed", String(!plain));
});

const darkButton = document.getElementById("dark");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
  darkButton.setAttribute("aria-pressed", String(dark));
  return dark;
};
prefersDark.addEventListener("change", showTheme);
darkButton.addEventListener("click", () => {
  root.dataset.theme = showTheme() ? "light" : "dark";
  showTheme();
});

document.querySelector(".key").addEventListener("change", ({ target }) => {
  const only = target.value === "" ? null : Number(target.value);
  nodes.accounts.forEach((account, number) => { account.hidden = only !== null && number !== only; });
  if (nodes.sentences[standing.sentences]?.closest("[hidden]")) {
    stand("sentences", nodes.sentences.findIndex((sentence) => !sentence.closest("[hidden]")), false);
  }
  for (const run of nodes.runs) {
    const word = numbers.get(run.querySelector(".w"));
    run.classList.toggle("off", only !== null && !data.words[word].some(([account]) => account === only));
  }
  if (held) show(held);
});

stand("words", 0, false);
stand("sentences", 0, false);
showTheme();
openSheet(matchMedia("(min-width: 40rem) and (max-width: 74.99rem) and (min-height: 44rem)").matches);
say(null);
