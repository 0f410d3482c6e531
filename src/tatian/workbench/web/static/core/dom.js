// Build pages from text and elements, never from HTML, so that no text can run as a script.
//
//   h(tag, attributes, ...children)  an element. Functions named `on*` are listeners; attributes that
//                                    are false, null or undefined are left out, true stands for "";
//                                    `value`, `checked`, `disabled` and the like are properties.
//                                    Children are nodes, texts, numbers and (nested) arrays; null,
//                                    undefined and false are left out.
//   fill(node, ...children)          replaces all children
//   arrange(node, children)          the same, but children in the right place are not moved, so that
//                                    focus and scroll positions stay
//   unique(prefix)                   a new id
//   fromHtml(html)                   a fragment with the server's rendered Markdown, copied element
//                                    by element; only plain markup is kept
//   ask({title, body, actions})      a modal dialog; a promise of the chosen action's value, null if
//                                    it is closed. actions: [[label, value, primary?, ready?]];
//                                    ready(): whether the action is enabled, after each change;
//                                    wide: focus the title instead of an action;
//                                    attempt(value): a promise of an error message, with which the
//                                    dialog stays open; unsaved(): whether to confirm before closing
//   button(label, onclick, attributes)
//   announce(region, text)           lets screen readers say a text, even if it is the last one again
//   copyText(text)                   copies to the clipboard; a promise of whether that is allowed
//   isComposing(event)               whether a key belongs to an input method
//   keepFocus(root, redraw)          calls redraw(), then restores the focus to the control at the
//                                    same place
//   loadStyle(style, module)         a promise for the end of loading a task's style sheet, so that
//                                    the page does not jump

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
  node.append(...toNodes(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...toNodes(children));
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

export function announce(region, text) {
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// A page also works without its style sheet, so a failure counts as loaded.
export function loadStyle(style, module) {
  if (!style) return null;
  return new Promise((resolve) => {
    const { href } = new URL(style, new URL(module, location));
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}

// Safari ends the composition before the key event, which then has this code.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

// Not a native modal dialog: that makes the page inert, which is slow to undo for a long text.
export function ask({ title, body, actions, wide = false, attempt = null, unsaved = null }) {
  const heading = unique("question");
  const focusedBefore = document.activeElement;
  return new Promise((resolve) => {
    const content = h("div", {}, body);
    const problem = h("p", { class: "problem", role: "alert" });
    const focusHeading = wide && !content.querySelector("[autofocus]");
    const discard = h("div", { class: "discard", role: "group", "aria-label": "Discard what you typed?", hidden: true });
    const confirmDiscard = () => {
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
      setTimeout(() => document.activeElement === document.body && focusedBefore?.focus({ preventScroll: true }));
    };
    const choose = async (value) => {
      if (value === null && unsaved?.()) {
        if (discard.hidden) confirmDiscard();
        else discard.querySelector("button").click();
        return;
      }
      if (attempt && value !== null) {
        for (const choice of choices) choice.disabled = true;
        fill(problem, await attempt(value));
        updateChoices();
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
      h("h2", { id: heading, autofocus: focusHeading, tabindex: focusHeading ? -1 : null }, title),
      content,
      problem,
      discard,
      h("div", { class: "actions" }, choices),
    );
    const updateChoices = () =>
      actions.forEach(([, , , ready], place) => (choices[place].disabled = ready?.() === false));
    dialog.addEventListener("change", updateChoices);
    updateChoices();
    const veil = h("div", { class: "veil", popover: "manual", tabindex: -1 }, dialog);
    // After a click beside the controls, keys must not reach the page behind.
    veil.addEventListener("pointerdown", ({ target }) => setTimeout(() => veil.contains(target) && !veil.contains(document.activeElement) && veil.focus()));
    veil.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && !isComposing(event)) choose(null);
      if (event.key !== "Tab") return;
      const focusable = [...dialog.querySelectorAll(FOCUSABLE)].filter((node) => !node.disabled && node.tabIndex >= 0);
      const [last, first] = event.shiftKey ? [focusable[0], focusable.at(-1)] : [focusable.at(-1), focusable[0]];
      if (document.activeElement !== last && document.activeElement !== veil) return;
      event.preventDefault();
      first.focus();
    });
    document.body.append(veil);
    veil.showPopover();
    (dialog.querySelector("[autofocus]") || dialog.querySelector(FOCUSABLE)).focus();
  });
}

const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

export function keepFocus(root, redraw) {
  const controls = () => [...root.querySelectorAll(FOCUSABLE)];
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const isSameControl = (node) => node.matches(active.tagName) && node.role === active.role;
  const index = active ? controls().filter(isSameControl).indexOf(active) : -1;
  redraw();
  if (!active || active.isConnected) return;
  const replacement = controls().filter(isSameControl)[index];
  (replacement || root).focus({ preventScroll: true });
  if (replacement?.matches("textarea")) replacement.selectionStart = replacement.value.length;
}

const ALLOWED_TAGS = new Set(
  `a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol
  p pre q s small span strong sub sup table tbody td th thead tr u ul`
    .toUpperCase()
    .split(/\s+/),
);

export function fromHtml(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...[...parsed.body.childNodes].map(copySafely).filter(Boolean));
  return fragment;
}

function copySafely(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !ALLOWED_TAGS.has(node.tagName)) return null;
  const copy = document.createElement(node.tagName);
  const target = node.tagName === "A" ? node.getAttribute("href") || "" : "";
  if (/^(https?:|mailto:|#|\/(?!\/))/i.test(target)) {
    copy.setAttribute("href", target);
    copy.setAttribute("rel", "noopener noreferrer");
    copy.setAttribute("target", "_blank");
  }
  copy.append(...[...node.childNodes].map(copySafely).filter(Boolean));
  return copy;
}

function toNodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
