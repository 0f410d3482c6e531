// The guidelines beside the task: one tab for each part, opened by itself where the annotator has
// not seen this version yet and there is room for them beside or above the task.
//
//   const panel = new Instructions(api, campaign); panel.node; panel.toggle()
//   panel.version               of those that are shown; undefined where none are yet
//   await panel.renew(version)  loads them where others are shown than those that hold now: true
//                               where somebody has seen the others; then the panel is open

import { button, fill, fromHtml, h, unique } from "./dom.js";

const BESIDE = "(min-width: 40rem)";

export class Instructions {
  constructor(api, campaign) {
    this.api = api;
    this.path = `/api/v1/work/${encodeURIComponent(campaign)}/guidelines`;
    this.key = `tatian:guidelines:${campaign}`;
    this.tabs = [];
    this.body = h("div", { class: "tabs" });
    this.node = h(
      "aside",
      { id: "instructions", class: "instructions", "aria-label": "Instructions", hidden: true },
      this.body,
    );
  }

  get shown() {
    return !this.node.hidden;
  }

  toggle(shown = this.node.hidden) {
    this.node.hidden = !shown;
    this.onchange?.(shown);
    if (!shown) return;
    this.remember();
    this.buttons?.find((tab) => tab.tabIndex === 0)?.focus();
  }

  async renew(current) {
    if (!current || current === this.version) return false;
    const { version, html, tabs } = await this.api.get(this.path);
    const changed = this.version !== undefined && version !== this.version;
    this.version = version;
    const parts = (tabs || []).filter((tab) => tab.title || tab.html);
    this.show(parts.length ? parts : [{ title: "Instructions", html: html || "" }]);
    if (changed || (this.seen() !== String(version) && matchMedia(BESIDE).matches)) {
      this.node.hidden = false;
      this.onchange?.(true);
      this.remember();
    }
    return changed;
  }

  show(parts) {
    const panels = parts.map(({ title, html }) => {
      const tab = unique("tab");
      const panel = unique("panel");
      const about = { role: "tab", id: tab, "aria-controls": panel };
      return {
        tab: button(title || "Overview", null, about),
        panel: h(
          "div",
          { role: "tabpanel", id: panel, "aria-labelledby": tab, tabindex: 0, dir: "auto" },
          fromHtml(html),
        ),
      };
    });
    this.buttons = panels.map(({ tab }) => tab);
    const select = (index, focus) => {
      panels.forEach(({ tab, panel }, each) => {
        const on = each === index;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
        panel.hidden = !on;
        if (on && focus) tab.focus();
      });
    };
    panels.forEach(({ tab }, index) => {
      tab.addEventListener("click", () => select(index, false));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        select((index + step + panels.length) % panels.length, true);
      });
    });
    fill(
      this.body,
      h("div", { role: "tablist", "aria-label": "Parts of the instructions" }, this.buttons),
      panels.map(({ panel }) => panel),
    );
    select(0, false);
  }

  seen() {
    try {
      return localStorage.getItem(this.key);
    } catch {
      return null;
    }
  }

  remember() {
    try {
      localStorage.setItem(this.key, String(this.version));
    } catch {
      return;
    }
  }
}
