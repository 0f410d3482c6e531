// A popup menu for mouse, finger and keyboard.
//
//   openMenu(anchor, {label, note, items, back})
//     anchor  the element beside which it opens, and which gets the focus when it closes
//     label   name for screen readers
//     note    text or nodes above the items
//     items   [{label, hint, run, disabled, danger, href, download}], null for a separator;
//             hint is a key or a word at the end of the item
//     back()  returns another element to focus when it closes
//   menuButton(label, menu, attributes)   a button that opens the menu that menu() returns
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
  const wasOpen = open?.anchor === anchor;
  closeMenu();
  if (wasOpen) return;
  const entries = items.map((item) => (item ? buildItem(item) : h("hr", { role: "separator" })));
  const node = h(
    "div",
    { class: "menu", popover: "manual" },
    note && h("div", { class: "menu-note" }, note),
    h("div", { role: "menu", "aria-label": label }, entries),
  );
  // Only content of a modal dialog can be reached while it is open.
  (anchor.closest("dialog, main") || document.body).append(node);
  open = { anchor, node, back };
  anchor.setAttribute("aria-expanded", "true");
  node.addEventListener("keydown", onKey);
  node.addEventListener("focusout", onFocusOut);
  node.showPopover();
  position(node, anchor.getBoundingClientRect());
  enabledItems(node)[0]?.focus({ preventScroll: true });
  document.addEventListener("pointerdown", onPressOutside, true);
  addEventListener("resize", closeMenu);
}

export function closeMenu({ focus = true } = {}) {
  if (!open) return;
  const { anchor, node, back } = open;
  open = null;
  document.removeEventListener("pointerdown", onPressOutside, true);
  removeEventListener("resize", closeMenu);
  const inside = node.contains(document.activeElement);
  anchor.setAttribute("aria-expanded", "false");
  node.remove();
  if (focus && inside) back()?.focus({ preventScroll: true });
}

function buildItem({ label, hint, run, disabled, danger, href, download }) {
  const inner = [h("span", {}, label), hint && h("span", { class: "hint", "aria-hidden": "true" }, hint)];
  const shared = { role: "menuitem", tabindex: -1, class: danger ? "danger" : null };
  if (href) return h("a", { ...shared, href, download, onclick: () => setTimeout(closeMenu) }, inner);
  const choose = () => {
    closeMenu();
    run();
  };
  return h("button", { type: "button", ...shared, disabled: Boolean(disabled), onclick: choose }, inner);
}

function enabledItems(node) {
  return [...node.querySelectorAll("[role=menuitem]:not(:disabled)")];
}

function onKey(event) {
  const list = enabledItems(open.node);
  const index = list.indexOf(document.activeElement);
  const moves = { ArrowDown: index + 1, ArrowUp: index - 1 + list.length, Home: 0, End: list.length - 1 };
  if (event.key === "Escape" || event.key === "Tab") {
    closeMenu();
  } else if (event.key in moves) {
    list[moves[event.key] % list.length]?.focus();
  } else if (event.key.length === 1 && event.key !== " ") {
    const startsWithKey = (item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase());
    [...list.slice(index + 1), ...list.slice(0, index + 1)].find(startsWithKey)?.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function onPressOutside(event) {
  if (open && !open.node.contains(event.target) && !open.anchor.contains(event.target)) closeMenu();
}

function onFocusOut(event) {
  if (open && event.relatedTarget && !open.node.contains(event.relatedTarget)) closeMenu({ focus: false });
}

function position(node, index) {
  const { offsetWidth: width, offsetHeight: height } = node;
  const fitsBelow = index.bottom + 4 + height <= innerHeight || index.top - 4 - height < 0;
  const top = fitsBelow ? Math.min(index.bottom + 4, innerHeight - height - 4) : index.top - 4 - height;
  node.style.top = `${Math.max(4, top)}px`;
  node.style.left = `${Math.max(4, Math.min(index.left, innerWidth - width - 8))}px`;
}
