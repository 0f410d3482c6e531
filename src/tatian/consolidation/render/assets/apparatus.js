/* The line at the foot: what is selected, where it comes from, what became of it. */

const SHOWN = 6;

const make = (tag, className, ...children) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
};

const mark = (account) => {
  const colour = account < 8 ? `c${account}` : "cn";
  return make("b", `mark ${colour}`, data.accounts[account][0]);
};

const who = (account) => make("span", "who", data.accounts[account][1]);

const entry = (...children) => make("span", "entry", ...children);

const action = (label, dataset) => {
  const button = make("button", "", label);
  button.type = "button";
  Object.assign(button.dataset, dataset);
  return button;
};

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

const wikipedia = ([title, address]) => {
  const link = make("a", "page", `Wikipedia: ${title}`);
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
};

const HOW = {
  copied: () => "copied",
  inflected: (words) => `inflected from “${words}”`,
  substituted: (words) => `substituted for “${words}”`,
  aggregated: (words) => `aggregated from “${words}”`,
};

const readings = {
  word({ number, after }) {
    const found = sources(number, after);
    const line = [make("span", "lemma", range(number, after).map((word) => nodes.words[word].textContent).join(" "))];
    if (nodes.words[number].parentNode.classList.contains("own")) line.push(entry(make("em", "", "written by the editor")));
    else if (!found.length) line.push(entry(make("em", "", "glue: this word is in no account; it joins the others")));
    for (const { account, kind, first, after } of found.slice(0, SHOWN)) {
      line.push(entry(mark(account), " ", who(account), ", ", make("em", "", HOW[kind](phrase(first, after)))));
    }
    if (found.length > SHOWN) line.push(entry(`and ${count(found.length - SHOWN, "more place")}`));
    for (const [, , chain, pages] of mentionsAt(number)) {
      line.push(entry("stands for ", action(data.chains[chain].name, { chain })), ...pages.map((page) => entry(wikipedia(page))));
    }
    data.disputes.forEach(({ words }, dispute) => {
      if (words.includes(number)) line.push(entry(action(`† disputed, note ${dispute + 1}`, { dispute })));
    });
    const sentence = nodes.words[number].closest(".o").querySelector(".n");
    if (sentence.title) line.push(entry(`sentence ${sentence.textContent} stands here: `, make("em", "", sentence.title)));
    return line;
  },

  sentence({ number }) {
    const [account, place, , fate, why] = data.sentences[number];
    const kin = pictures.sentence({ number }).kin.map((other) => data.sentences[other]);
    return [
      entry(mark(account), " ", who(account), `, ${place > 0 ? `sentence ${place}` : "headline"}: `, make("b", "", fate), why ? ` (${why})` : ""),
      kin.length ? entry("same in ", ...kin.slice(0, SHOWN).flatMap(([other, at]) => [mark(other), at > 0 ? ` ${at} ` : " headline "])) : "",
    ];
  },

  chain({ number }) {
    const { name, type, pieces } = data.chains[number];
    const mentions = mentionsOf(number);
    const pages = new Map(mentions.flatMap(([, , , found]) => found));
    return [
      make("span", "lemma", name),
      entry(`${type ? `${type}, ` : ""}${count(mentions.length, "mention")} in the text, ${pieces.length} in the accounts`),
      ...[...pages].map((page) => entry(wikipedia(page))),
    ];
  },

  dispute({ number }) {
    const { kind, why, claims } = data.disputes[number];
    return [
      make("span", "lemma", `†${number + 1} ${kind}`),
      ...claims.map(([account, first, after], claim) =>
        entry(mark(account), " ", action(`“${phrase(first, after)}”`, { dispute: number, claim }))),
      entry(make("em", "", why)),
    ];
  },
};

const idle = () => {
  const point = matchMedia("(pointer: coarse)").matches ? "Tap" : "Point at";
  return `${point} a word to see where it comes from, or a sentence of an account to see where it went.`;
};

const reading = document.getElementById("reading");

const say = (selection) => {
  reading.classList.toggle("idle", !selection);
  const line = selection ? readings[selection.type](selection) : [idle()];
  reading.replaceChildren(...line.flatMap((part) => [part, " "]));
  reading.scrollTop = 0;
};
