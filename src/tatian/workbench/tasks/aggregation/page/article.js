// The article with its mentions, and what is known about each entity.
//
//   const article = new Article(content, picked)   picked(number): after a mention was chosen
//   article.node;  article.pick(number)   marks an entity's mentions, null: none
//   const about = new About(content);  about.node;  about.show(number)
//
// Mentions are one stop of the Tab key; the arrows go from one to the next. Each has its entity's
// number and a line of its own under it, so that colour is not needed to tell them apart.

import { button, h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";

const HUES = 6;

export function hue(number) {
  return `hue-${(number % HUES) + 1}`;
}

export class Article {
  constructor({ title, context, entities }, picked) {
    this.entities = entities;
    this.picked = picked;
    this.mentions = [];
    this.said = h("p", { class: "picked", role: "status" });
    this.node = h(
      "section",
      { class: "card article", "aria-label": "Article", onkeydown: (event) => this.key(event) },
      title.length ? h("h2", { class: "headline", dir: way(title) }, this.runs(title)) : null,
      context.length
        ? h("p", { class: "reading", dir: way(context) }, this.runs(context))
        : h("p", { class: "faint" }, "There is no excerpt of the article."),
      this.said,
    );
    this.mentions.forEach((mention, index) => (mention.tabIndex = index ? -1 : 0));
  }

  runs(runs) {
    return runs.map(({ text, entity }) => (Number.isInteger(entity) ? this.mention(text, entity) : text));
  }

  mention(text, entity) {
    const { name } = this.entities[entity];
    const node = h(
      "span",
      {
        class: `mention ${hue(entity)}`,
        role: "button",
        title: name,
        "aria-pressed": "false",
        "data-entity": entity,
        onclick: () => this.choose(node),
      },
      text,
      h("sub", { "aria-hidden": "true" }, entity + 1),
      h("span", { class: "unseen" }, ` (${entity + 1}: ${name})`),
    );
    this.mentions.push(node);
    return node;
  }

  choose(node) {
    const number = Number(node.dataset.entity);
    const off = node.getAttribute("aria-pressed") === "true";
    this.rove(node);
    this.pick(off ? null : number);
    this.picked(off ? null : number);
  }

  pick(number) {
    for (const mention of this.mentions) {
      const on = Number(mention.dataset.entity) === number;
      mention.classList.toggle("current", on);
      mention.setAttribute("aria-pressed", String(on));
    }
    const { name } = this.entities[number] || {};
    this.said.replaceChildren(...(name ? [chip(number), h("bdi", {}, name)] : []));
  }

  rove(node) {
    for (const mention of this.mentions) mention.tabIndex = mention === node ? 0 : -1;
  }

  key(event) {
    const at = this.mentions.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const turned = event.target.closest("[dir]")?.dir === "rtl" ? -1 : 1;
    const step = { ArrowRight: turned, ArrowLeft: -turned, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = this.mentions[at + step];
      if (next) {
        this.rove(next);
        next.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") this.choose(event.target);
    else return;
    event.preventDefault();
  }
}

export class About {
  constructor({ entities, background }) {
    this.cards = entities.map((entity, number) => (background ? card(entity, number) : bare(entity, number)));
    this.all = background ? button("", () => this.fold(), { class: "plain" }) : null;
    this.node = h(
      "section",
      { class: "about-them", "aria-label": "About them" },
      h("div", { class: "head" }, h("h2", {}, background ? "What is known about them" : "Who is meant"), this.all),
      h(background ? "div" : "ul", { class: background ? "entities" : "entities bare" }, this.cards),
    );
    for (const one of background ? this.cards : []) one.addEventListener("toggle", () => this.label());
    this.label();
  }

  fold() {
    const open = !this.cards.some((card) => card.open);
    for (const one of this.cards) one.open = open;
    this.label();
  }

  label() {
    if (this.all) this.all.textContent = this.cards.some((card) => card.open) ? "Close all" : "Open all";
  }

  show(number) {
    this.cards.forEach((one, index) => {
      one.classList.toggle("current", index === number);
      if (index === number && "open" in one) one.open = true;
    });
  }
}

function card({ name, background, link }, number) {
  const https = URL.canParse(link) && new URL(link).protocol === "https:";
  return h(
    "details",
    { class: `card entity ${hue(number)}`, open: !matchMedia("(max-width: 30rem)").matches },
    h("summary", {}, chip(number), h("bdi", { class: "name" }, name)),
    background
      ? h("p", { class: "background", dir: direction(background) }, background)
      : h("p", { class: "faint" }, "Nothing was found. Go by what you know and what the article says."),
    https
      ? h("p", {}, h("a", { href: link, target: "_blank", rel: "noopener noreferrer" },
        h("bdi", {}, name), ` on ${site(link)}`, h("span", { class: "unseen" }, " (opens a new tab)")))
      : null,
  );
}

function site(link) {
  const { hostname } = new URL(link);
  return hostname.endsWith(".wikipedia.org") ? "Wikipedia" : hostname;
}

function bare({ name }, number) {
  return h("li", { class: `entity ${hue(number)}` }, chip(number), h("bdi", { class: "name" }, name));
}

function chip(number) {
  return h("span", { class: `chip ${hue(number)}` }, number + 1);
}

function way(runs) {
  return direction(runs.map(({ text }) => text).join(""));
}
