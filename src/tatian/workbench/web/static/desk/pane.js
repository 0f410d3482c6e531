// A pane with one stop of the Tab key (roving tabindex), which the arrow keys move.

export class Pane {
  constructor(stops) {
    this.stops = stops;
  }

  visit(target) {
    if (!target.matches(this.stops)) return;
    this.setStop(target, false);
    if (target.matches(":focus-visible")) this.actions.show(this.selectionAt(target), { keyboard: true });
  }

  setStop(node, focus = true) {
    if (!node) return;
    if (this.current && this.current !== node) this.current.tabIndex = -1;
    if (node.tabIndex) node.tabIndex = 0; // Setting it makes the browser measure, even to the same value.
    this.current = node;
    if (focus && node !== document.activeElement) node.focus({ preventScroll: true });
  }
}
