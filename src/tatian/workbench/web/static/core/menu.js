// A menu that opens beside what it is about: a list of things to do, by mouse, finger and keyboard.
//
//   openMenu(anchor, {label, note, items, back})
//     anchor  the element it opens at; what has the focus is given it back on closing
//     label   its name for screen readers
//     note    a line or nodes above the items
//     items   [{label, hint, run, disabled, danger, href, download}] or null for a line between;
//             hint is a key or a word at the end of the item
//     back()  the element that takes the focus after closing, where it is not the anchor
//   menuButton(label, menu, attributes)   a button that opens what menu() gives, as above
//   closeMenu()
//
// Keys: arrows, Home and End move, a letter goes to the next item that begins with it, Enter or
// Space chooses, Escape and Tab close.

import { button, h } from "./dom.js";

let open = null;

export function menuButton(label, menu, attributes = {}) {
  const node = button(label, () => openMenu(node, menu()), {
    "aria-haspopup": "menu",
    "aria-expanded": "false",
    ...attributes,
  });
  return node;
}

export function openMenu(anchor, { label, note = null, items, back = () => anchor }) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return;
  const entries = items.map((item) => (item ? entry(item) : h("hr", { role: "separator" })));
  const node = h(
    "div",
    { class: "menu", popover: "manual" },
    note && h("div", { class: "menu-note" }, note),
    h("div", { role: "menu", "aria-label": label }, entries),
  );
  // Within a modal question, only what is inside it can be reached.
  (anchor.closest("dialog, main") || document.body).append(node);
  open = { anchor, node, back };
  anchor.setAttribute("aria-expanded", "true");
  node.addEventListener("keydown", key);
  node.addEventListener("focusout", left);
  node.showPopover();
  place(node, anchor.getBoundingClientRect());
  choices(node)[0]?.focus({ preventScroll: true });
  document.addEventListener("pointerdown", outside, true);
  addEventListener("resize", closeMenu);
}

export function closeMenu({ focus = true } = {}) {
  if (!open) return;
  const { anchor, node, back } = open;
  open = null;
  document.removeEventListener("pointerdown", outside, true);
  removeEventListener("resize", closeMenu);
  const inside = node.contains(document.activeElement);
  anchor.setAttribute("aria-expanded", "false");
  node.remove();
  if (focus && inside) back()?.focus({ preventScroll: true });
}

function entry({ label, hint, run, disabled, danger, href, download }) {
  const inner = [h("span", {}, label), hint && h("span", { class: "hint", "aria-hidden": "true" }, hint)];
  const shared = { role: "menuitem", tabindex: -1, class: danger ? "danger" : null };
  if (href) return h("a", { ...shared, href, download, onclick: () => setTimeout(closeMenu) }, inner);
  const chosen = () => {
    closeMenu();
    run();
  };
  return h("button", { type: "button", ...shared, disabled: Boolean(disabled), onclick: chosen }, inner);
}

function choices(node) {
  return [...node.querySelectorAll("[role=menuitem]:not(:disabled)")];
}

function key(event) {
  const list = choices(open.node);
  const at = list.indexOf(document.activeElement);
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1 + list.length, Home: 0, End: list.length - 1 };
  if (event.key === "Escape" || event.key === "Tab") {
    closeMenu();
  } else if (event.key in moves) {
    list[moves[event.key] % list.length]?.focus();
  } else if (event.key.length === 1 && event.key !== " ") {
    const begins = (item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase());
    [...list.slice(at + 1), ...list.slice(0, at + 1)].find(begins)?.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function outside(event) {
  if (open && !open.node.contains(event.target) && !open.anchor.contains(event.target)) closeMenu();
}

function left(event) {
  if (open && event.relatedTarget && !open.node.contains(event.relatedTarget)) closeMenu({ focus: false });
}

function place(node, at) {
  const { offsetWidth: width, offsetHeight: height } = node;
  const below = at.bottom + 4 + height <= innerHeight || at.top - 4 - height < 0;
  const top = below ? Math.min(at.bottom + 4, innerHeight - height - 4) : at.top - 4 - height;
  node.style.top = `${Math.max(4, top)}px`;
  node.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 8))}px`;
}
