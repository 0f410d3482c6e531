"use strict";

/* What the page knows. A *selection* is what the reader points at; its *picture* says which words,
   output sentences (verses), source sentences (and their kin: those that report the same thing) and
   pieces belong to it. Nothing here changes the page. */

const data = JSON.parse(document.getElementById("data").textContent);

const nodes = {
  words: [...document.querySelectorAll("#text .w")],
  verses: [...document.querySelectorAll("#text .o")],
  runs: [...document.querySelectorAll("#text .r")],
  accounts: [...document.querySelectorAll(".account")],
  sentences: [...document.querySelectorAll(".s")],
  pieces: [...document.querySelectorAll(".p")],
};

/* Elements know their number, so that one listener serves all of them. */
const numbers = new Map();
for (const list of Object.values(nodes)) list.forEach((node, number) => numbers.set(node, number));

const range = (first, after) => Array.from({ length: after - first }, (_, step) => first + step);

/* Where some words come from, each place once. */
const sources = (first, after) => {
  const found = new Map();
  for (const word of range(first, after)) {
    for (const [account, kind, start, end, sentence] of data.words[word]) {
      found.set(`${start} ${end}`, { account, kind: data.kinds[kind], first: start, after: end, sentence });
    }
  }
  return [...found.values()];
};

/* The words of an account from one piece to another. */
const phrase = (first, after) => {
  if (first === after) return "";
  const span = document.createRange();
  span.setStartBefore(nodes.pieces[first]);
  span.setEndAfter(nodes.pieces[after - 1]);
  return span.toString();
};

const mentionsOf = (chain) => data.mentions.filter((mention) => mention[2] === chain);

const mentionsAt = (word) => data.mentions.filter(([first, after]) => first <= word && word < after);

const pictures = {
  word({ number, after }) {
    const found = sources(number, after);
    return {
      words: range(number, after),
      pieces: found.flatMap(({ first, after }) => range(first, after)),
      sentences: found.map(({ sentence }) => sentence).filter((sentence) => sentence >= 0),
    };
  },

  sentence({ number }) {
    const words = [];
    const pieces = [];
    data.words.forEach((found, word) => {
      for (const [, , first, after, sentence] of found) {
        if (sentence !== number) continue;
        words.push(word);
        pieces.push(...range(first, after));
      }
    });
    const kin = data.groups.filter((group) => group.includes(number)).flat().filter((other) => other !== number);
    return { words, pieces, sentences: [number], kin, verses: data.sentences[number][2] };
  },

  chain({ number }) {
    return {
      words: mentionsOf(number).flatMap(([first, after]) => range(first, after)),
      pieces: data.chains[number].pieces.flatMap(([first, after]) => range(first, after)),
    };
  },

  dispute({ number, claim }) {
    const dispute = data.disputes[number];
    const claims = claim === undefined ? dispute.claims : [dispute.claims[claim]];
    return {
      words: dispute.words,
      verses: dispute.words.length ? [] : dispute.verses,
      pieces: claims.flatMap(([, first, after]) => range(first, after)),
    };
  },
};

const pictureOf = (selection) => ({ words: [], verses: [], sentences: [], kin: [], pieces: [], ...pictures[selection.type](selection) });
