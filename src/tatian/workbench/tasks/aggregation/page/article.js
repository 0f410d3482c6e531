// The article with its mentions, and the background of each entity.
//
//   const article = new Article(content, onpick)   onpick(number) when a mention is chosen
//   article.node;  article.highlight(number)       highlights an entity's mentions; null: none
//   const cards = new EntityCards(content);  cards.node;  cards.show(number)
//
// Mentions share one stop of the Tab key, and arrows move between them. Each shows its entity's
// number and an underline, so that entities do not differ by colour alone.

import { button, h } from "../../core/dom.js";
import { direction } from "../../core/direction.js";

const HUES = 6;

function hueClass(number) {
  return `hue-${(number % HUES) + 1}`;
}

export class Article {
  constructor({ title, context, entities }, onpick) {
    this.entities = entities;
    this.onpick = onpick;
    this.mentions = [];
    this.status = h("p", { class: "picked", role: "status" });
    this.node = h(
      "section",
      { class: "card article", "aria-label": "Article", onkeydown: (event) => this.onKey(event) },
      title.length ? h("h2", { class: "headline", dir: runsDirection(title) }, this.runs(title)) : null,
      context.length
        ? h("p", { class: "reading", dir: runsDirection(context) }, this.runs(context))
        : h("p", { class: "faint" }, "There is no excerpt of the article."),
      this.status,
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
        class: `mention ${hueClass(entity)}`,
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
    const wasPressed = node.getAttribute("aria-pressed") === "true";
    this.moveTabStop(node);
    this.highlight(wasPressed ? null : number);
    this.onpick(wasPressed ? null : number);
  }

  highlight(number) {
    for (const mention of this.mentions) {
      const isCurrent = Number(mention.dataset.entity) === number;
      mention.classList.toggle("current", isCurrent);
      mention.setAttribute("aria-pressed", String(isCurrent));
    }
    const { name } = this.entities[number] || {};
    this.status.replaceChildren(...(name ? [chip(number), h("bdi", {}, name)] : []));
  }

  moveTabStop(node) {
    for (const mention of this.mentions) mention.tabIndex = mention === node ? 0 : -1;
  }

  onKey(event) {
    const index = this.mentions.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = event.target.closest("[dir]")?.dir === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = this.mentions[index + step];
      if (next) {
        this.moveTabStop(next);
        next.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") this.choose(event.target);
    else return;
    event.preventDefault();
  }
}

export class EntityCards {
  constructor({ entities, background }) {
    this.cards = entities.map((entity, number) => (background ? card(entity, number) : listItem(entity, number)));
    this.foldButton = background ? button("", () => this.toggleAll(), { class: "plain" }) : null;
    this.node = h(
      "section",
      { class: "about-them", "aria-label": "About them" },
      h("div", { class: "head" }, h("h2", {}, background ? "What is known about them" : "Who is meant"), this.foldButton),
      h(background ? "div" : "ul", { class: background ? "entities" : "entities bare" }, this.cards),
    );
    for (const card of background ? this.cards : []) card.addEventListener("toggle", () => this.updateFoldButton());
    this.updateFoldButton();
  }

  toggleAll() {
    const open = !this.cards.some((card) => card.open);
    for (const card of this.cards) card.open = open;
    this.updateFoldButton();
  }

  updateFoldButton() {
    if (this.foldButton) this.foldButton.textContent = this.cards.some((card) => card.open) ? "Close all" : "Open all";
  }

  show(number) {
    this.cards.forEach((card, index) => {
      card.classList.toggle("current", index === number);
      if (index === number && "open" in card) card.open = true;
    });
  }
}

function card({ name, background, link }, number) {
  const isSafe = URL.canParse(link) && new URL(link).protocol === "https:";
  return h(
    "details",
    { class: `card entity ${hueClass(number)}`, open: !matchMedia("(max-width: 30rem)").matches },
    h("summary", {}, chip(number), h("bdi", { class: "name" }, name)),
    background
      ? h("p", { class: "background", dir: direction(background) }, background)
      : h("p", { class: "faint" }, "Nothing was found. Go by what you know and what the article says."),
    isSafe
      ? h("p", {}, h("a", { href: link, target: "_blank", rel: "noopener noreferrer" },
        h("bdi", {}, name), ` on ${siteName(link)}`, h("span", { class: "unseen" }, " (opens a new tab)")))
      : null,
  );
}

function siteName(link) {
  const { hostname } = new URL(link);
  return hostname.endsWith(".wikipedia.org") ? "Wikipedia" : hostname;
}

function listItem({ name }, number) {
  return h("li", { class: `entity ${hueClass(number)}` }, chip(number), h("bdi", { class: "name" }, name));
}

function chip(number) {
  return h("span", { class: `chip ${hueClass(number)}` }, number + 1);
}

function runsDirection(runs) {
  return direction(runs.map(({ text }) => text).join(""));
}
