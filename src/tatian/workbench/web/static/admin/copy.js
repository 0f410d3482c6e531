// Add a button beside every link that can be copied.

import { copyText } from "../core/dom.js";

for (const field of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${field.getAttribute("aria-label")}`);
  button.addEventListener("click", async () => {
    field.select();
    button.textContent = (await copyText(field.value)) ? "Copied" : "Press Ctrl+C";
  });
  field.addEventListener("focus", () => field.select());
  field.after(button);
}

