// Builds pages out of text and elements, never out of HTML, so that whatever a text contains is
// shown and not run.
//
//   h(tag, attributes, ...children)  an element. `on*` attributes with functions are listeners,
//                                    `class` and any other name attributes; true: present, false,
//                                    null, undefined: absent; `value`, `checked` and `disabled` are
//                                    properties. Children: nodes, texts, numbers, (nested) arrays;
//                                    null, undefined and false are left out.
//   fill(node, ...children)          in place of whatever it contains
//   arrange(node, children)          the same, for nodes that are mostly there: none is moved that
//                                    stands where it should, so focus and scrolled places stay
//   unique(prefix)                   an id for aria-labelledby and the like
//   fromHtml(html)                   a fragment of HTML that the server rendered from Markdown,
//                                    copied element by element; all but plain markup is dropped
//   ask({title, body, actions})      a modal question; a promise of the chosen action's value,
//                                    null when it is closed. actions: [[label, value, primary?,
//                                    ready?]]; ready(): whether it can be chosen, asked again
//                                    after each change in the question; wide: with much to read,
//                                    so that no action has the focus; attempt(value): a promise of
//                                    why it could not be done, with which the question stays open;
//                                    unsaved(): whether closing it would lose typed words, which it
//                                    then asks about first
//   button(label, onclick, attributes)
//   composing(event)                 whether a key belongs to an input method that is writing a
//                                    character, as the Enter that ends one does: not ours then
//   inPlace(root, redraw)            calls redraw(), then gives the focus back to the control that
//                                    stands where the focused one stood
//   styled(style)                    a promise that a task's style sheet, if it has one, is here:
//                                    what is shown before would jump under the mouse

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "open", "readOnly"]);
let counter = 0;

export function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) {
      if (value) node.addEventListener(name.slice(2), value);
    } else if (PROPERTIES.has(name)) {
      node[name] = value;
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...nodes(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

export function arrange(node, children) {
  const wanted = new Set(children);
  for (const child of [...node.childNodes]) if (!wanted.has(child)) child.remove();
  let at = node.firstChild;
  for (const child of children) {
    if (child === at) at = at.nextSibling;
    else node.insertBefore(child, at);
  }
  return node;
}

export function unique(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

// Without its own style sheet a page still works, so one that does not come holds nothing up.
export function styled(style, module) {
  if (!style) return null;
  return new Promise((resolve) => {
    const { href } = new URL(style, new URL(module, location));
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}

// Safari ends the composition before it tells of the key, which then has this code.
export function composing(event) {
  return event.isComposing || event.keyCode === 229;
}

// A veil over the page in place of a modal dialog, which makes all below it inert: of a long text
// that takes longer to undo than to draw it.
export function ask({ title, body, actions, wide = false, attempt = null, unsaved = null }) {
  const heading = unique("question");
  const before = document.activeElement;
  return new Promise((resolve) => {
    const content = h("div", {}, body);
    const problem = h("p", { class: "problem", role: "alert" });
    const headed = wide && !content.querySelector("[autofocus]");
    const discard = h("div", { class: "discard", role: "group", "aria-label": "Discard what you typed?", hidden: true });
    const doubt = () => {
      const writing = content.contains(document.activeElement) ? document.activeElement : content.querySelector("textarea, input");
      const keep = () => {
        discard.hidden = true;
        writing?.focus();
      };
      fill(discard, h("p", { role: "alert" }, "Discard what you typed?"), button("Keep writing", keep, { class: "primary" }), button("Discard it", () => close(null)));
      discard.hidden = false;
      discard.querySelector("button").focus();
    };
    const close = (value) => {
      veil.remove();
      resolve(value);
      setTimeout(() => document.activeElement === document.body && before?.focus({ preventScroll: true }));
    };
    const choose = async (value) => {
      if (value === null && unsaved?.()) {
        if (discard.hidden) doubt();
        else discard.querySelector("button").click();
        return;
      }
      if (attempt && value !== null) {
        for (const choice of choices) choice.disabled = true;
        fill(problem, await attempt(value));
        review();
        if (problem.textContent) return;
      }
      close(value);
    };
    const choices = actions.map(([label, value, primary]) =>
      button(label, () => choose(typeof value === "function" ? value() : value), {
        class: primary ? "primary" : null,
      }),
    );
    const dialog = h(
      "dialog",
      { open: true, "aria-modal": "true", "aria-labelledby": heading, class: wide ? "question wide" : "question" },
      h("h2", { id: heading, autofocus: headed, tabindex: headed ? -1 : null }, title),
      content,
      problem,
      discard,
      h("div", { class: "actions" }, choices),
    );
    const review = () =>
      actions.forEach(([, , , ready], place) => (choices[place].disabled = ready?.() === false));
    dialog.addEventListener("change", review);
    review();
    const veil = h("div", { class: "veil", popover: "manual", tabindex: -1 }, dialog);
    // A click beside what can be chosen must not leave the keys to the page behind.
    veil.addEventListener("pointerdown", ({ target }) => setTimeout(() => veil.contains(target) && !veil.contains(document.activeElement) && veil.focus()));
    veil.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && !composing(event)) choose(null);
      if (event.key !== "Tab") return;
      const reached = [...dialog.querySelectorAll(FOCUSABLE)].filter((node) => !node.disabled && node.tabIndex >= 0);
      const [end, start] = event.shiftKey ? [reached[0], reached.at(-1)] : [reached.at(-1), reached[0]];
      if (document.activeElement !== end && document.activeElement !== veil) return;
      event.preventDefault();
      start.focus();
    });
    document.body.append(veil);
    veil.showPopover();
    (dialog.querySelector("[autofocus]") || dialog.querySelector(FOCUSABLE)).focus();
  });
}

const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

export function inPlace(root, redraw) {
  const controls = () => [...root.querySelectorAll(FOCUSABLE)];
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const alike = (node) => node.matches(active.tagName) && node.role === active.role;
  const place = active ? controls().filter(alike).indexOf(active) : -1;
  redraw();
  if (!active || active.isConnected) return;
  const stands = controls().filter(alike)[place];
  (stands || root).focus({ preventScroll: true });
  if (stands?.matches("textarea")) stands.selectionStart = stands.value.length;
}

const PLAIN = new Set(
  `a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol
  p pre q s small span strong sub sup table tbody td th thead tr u ul`
    .toUpperCase()
    .split(/\s+/),
);

export function fromHtml(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...[...parsed.body.childNodes].map(copied).filter(Boolean));
  return fragment;
}

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !PLAIN.has(node.tagName)) return null;
  const copy = document.createElement(node.tagName);
  const target = node.tagName === "A" ? node.getAttribute("href") || "" : "";
  if (/^(https?:|mailto:|#|\/(?!\/))/i.test(target)) {
    copy.setAttribute("href", target);
    copy.setAttribute("rel", "noopener noreferrer");
    copy.setAttribute("target", "_blank");
  }
  copy.append(...[...node.childNodes].map(copied).filter(Boolean));
  return copy;
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
