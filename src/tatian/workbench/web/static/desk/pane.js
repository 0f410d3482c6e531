// One of the two columns: a single stop of the Tab key, among many that the arrow keys reach.

export class Pane {
  constructor(stops) {
    this.stops = stops;
  }

  visit(target) {
    if (!target.matches(this.stops)) return;
    this.stand(target, false);
    if (target.matches(":focus-visible")) this.actions.show(this.selectionAt(target), { keyboard: true });
  }

  stand(node, focus = true) {
    if (!node) return;
    if (this.at && this.at !== node) this.at.tabIndex = -1;
    if (node.tabIndex) node.tabIndex = 0; // Even to the same, setting it makes the browser measure.
    this.at = node;
    if (focus && node !== document.activeElement) node.focus({ preventScroll: true });
  }
}
