// Settings of language models: those in use, those on this machine, and a field for an address.
//
//   Models(server)      the settings on the first page
//   ModelsLine(server)  a line that names the models, for the view of sources

import { button, fill, h, keepFocus, unique } from "../core/dom.js";
import { withErrors } from "./failures.js";
import { sentence } from "./wording.js";

const USES = {
  writer: ["Writer", "writes the text anew"],
  editor: ["Editor", "orders the sentences and merges those that partly say the same"],
  judge: ["Judge", "verifies sentences"],
};
const DEFAULTS = { writer: "", editor: "", judge: "small" };
const PRIVATE = "Tatian needs no language model. Nothing leaves this machine unless you choose an address elsewhere. A model gets the sources of every project that you then consolidate, and a judge also the drafts that you check.";

export class Models {
  constructor(server) {
    this.server = server;
    this.summary = h("summary", {});
    this.message = h("p", { role: "status", class: "faint" });
    this.problem = h("p", { role: "alert", class: "problem" });
    this.inUse = h("ul", { class: "models", "aria-label": "Models in use" });
    this.serverList = h("div", {});
    this.body = h("div", {}, h("p", { id: "models-private" }, PRIVATE), this.inUse, this.serverList, this.field(), this.message, this.problem);
    this.node = h("details", { id: "models", class: "card", hidden: true }, this.summary, this.body);
    this.node.addEventListener("toggle", () => this.node.open && this.findServers());
  }

  async start() {
    await withErrors(this.problem, async () => this.update(await this.server.models()));
    if (location.hash === "#models") this.node.open = true;
  }

  update(state) {
    this.state = state;
    this.node.hidden = false;
    fill(this.summary, h("h2", {}, "Language models"), ` ${summary(state)}`);
    keepFocus(this.inUse, () => fill(this.inUse, Object.keys(USES).map((use) => this.row(use))));
    this.form.hidden = !state.may_change;
    this.drawServers();
  }

  row(use) {
    const [name, purpose] = USES[use];
    const place = this.state[use];
    const canRemove = place !== DEFAULTS[use] && this.mayChange(use);
    return h(
      "li",
      {},
      h("span", {}, h("b", {}, name), ` (${purpose}): `, h("bdi", {}, describePlace(use, place)), this.state.fixed.includes(use) && place !== DEFAULTS[use] ? `, set by --${use}` : ""),
      canRemove ? button(use === "judge" ? "Use small again" : "Do without", () => this.choose(use, DEFAULTS[use]), { class: "plain", "aria-label": use === "judge" ? "Use the judge small again" : `Do without the ${use}` }) : "",
    );
  }

  mayChange(use) {
    return this.state.may_change && !this.state.fixed.includes(use);
  }

  // Look for servers on this machine when the settings are opened, or on request.
  async findServers() {
    if (!this.state?.may_change) return;
    fill(this.serverList, h("p", { role: "status" }, "Looking for models on this machine …"));
    this.servers = [];
    await withErrors(this.problem, async () => (this.servers = await this.server.modelServers()));
    this.drawServers();
  }

  drawServers() {
    if (!this.servers) return;
    const offers = this.servers.map(({ name, address, models }) => h(
      "li",
      {},
      h("p", {}, h("b", {}, name), " ", h("span", { class: "faint" }, address), models.length ? "" : ": no model yet"),
      h("ul", {}, models.map((model) => this.offer(model, `${address}#${model}`, Object.keys(USES)))),
    ));
    const builtIn = h("li", {}, h("p", {}, h("b", {}, "Tatian's own")), h("ul", {}, this.state.judges.map((name) => this.offer(name, name, ["judge"]))));
    keepFocus(this.serverList, () => fill(
      this.serverList,
      h("div", { class: "heading" }, h("h3", { tabindex: -1 }, "On this machine"), button("Look again", () => this.findServers())),
      this.servers.length ? "" : h("p", {}, "No server was found at the usual ports of Ollama, llama.cpp, LM Studio and vLLM."),
      h("ul", { class: "model-servers", "aria-label": "Models on this machine" }, offers, builtIn),
    ));
  }

  offer(model, place, uses) {
    const buttons = uses.map((use) => {
      const isChosen = this.state[use] === place;
      const choose = () => this.choose(use, isChosen ? DEFAULTS[use] : place);
      return button(USES[use][0], choose, { "aria-pressed": String(isChosen), "aria-label": `${model} as ${use}`, disabled: !this.mayChange(use) });
    });
    return h("li", { class: "offer" }, h("bdi", {}, model), h("span", { class: "uses", role: "group", "aria-label": `Use ${model} as` }, buttons));
  }

  field() {
    const [address, role] = [unique("address"), unique("use")];
    this.address = h("input", { id: address, type: "url", autocomplete: "off", placeholder: "https://HOST/v1#MODEL", "aria-describedby": "models-private" });
    this.use = h("select", { id: role }, Object.entries(USES).map(([use, [name]]) => h("option", { value: use }, name)));
    this.form = h(
      "form",
      { hidden: true },
      h("div", { class: "field" }, h("label", { for: address }, "Another address"), this.address),
      h("div", { class: "field" }, h("label", { for: role }, "Use it as"), this.use),
      h("button", {}, "Use it"),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.choose(this.use.value, this.address.value.trim());
    });
    return this.form;
  }

  // A writer words the whole text, so there is no editor beside it.
  choose(use, place) {
    const { writer, editor, judge } = this.state;
    const cleared = { writer: { editor: "" }, editor: { writer: "" }, judge: {} }[use];
    return withErrors(this.problem, async () => {
      fill(this.message);
      this.update(await this.server.chooseModels({ writer, editor, judge, ...(place ? cleared : {}), [use]: place }));
      fill(this.message, `${USES[use][0]}: ${describePlace(use, place)}, from the next consolidation on.`);
    });
  }
}

export class ModelsLine {
  constructor(server) {
    this.node = h("p", { class: "faint models-line" });
    server.models().then((state) => fill(this.node, "Language models: ", summary(state), " ", h("a", { href: "/desk#models" }, state.may_change ? "Choose" : "Details")), () => null);
  }
}

function describePlace(use, place) {
  if (!place) return "none";
  const [address, model] = place.split("#");
  return model ? `${model} at ${address}` : address;
}

function summary(state) {
  const used = Object.keys(USES).filter((use) => state[use] !== DEFAULTS[use]);
  const parts = used.map((use) => `${use} ${describePlace(use, state[use])}`);
  const where = state.elsewhere.length ? "Sources are sent to another machine." : "Nothing leaves this machine.";
  return `${parts.length ? sentence(parts.join(", ")) : "None."} ${where}`;
}
