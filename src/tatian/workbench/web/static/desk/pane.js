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
    if (this.at) this.at.tabIndex = -1;
    this.at = node;
    node.tabIndex = 0;
    if (focus) node.focus({ preventScroll: true });
  }
}
