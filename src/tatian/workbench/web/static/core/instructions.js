// The guidelines beside the task, with a tab for each part. They open by themselves if this version
// is new to the annotator and the window is wide enough.
//
//   const panel = new Instructions(api, campaign); panel.node; panel.toggle()
//   panel.version                the version shown; undefined before the first
//   await panel.update(version)  loads and shows a newer version; true if it replaced another one

import { button, fill, fromHtml, h, unique } from "./dom.js";
import { read, write } from "./storage.js";

const WIDE_ENOUGH = "(min-width: 40rem)";

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
    write(this.key, this.version);
    this.buttons?.find((tab) => tab.tabIndex === 0)?.focus();
  }

  async update(current) {
    if (!current || current === this.version) return false;
    const { version, html, tabs } = await this.api.get(this.path);
    const changed = this.version !== undefined && version !== this.version;
    this.version = version;
    const parts = (tabs || []).filter((tab) => tab.title || tab.html);
    this.show(parts.length ? parts : [{ title: "Instructions", html: html || "" }]);
    if (changed || (read(this.key) !== version && matchMedia(WIDE_ENOUGH).matches)) {
      this.node.hidden = false;
      this.onchange?.(true);
      write(this.key, this.version);
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
      panels.forEach(({ tab, panel }, place) => {
        const isSelected = place === index;
        tab.setAttribute("aria-selected", String(isSelected));
        tab.tabIndex = isSelected ? 0 : -1;
        panel.hidden = !isSelected;
        if (isSelected && focus) tab.focus();
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
}
