// A button beside every link that is there to be copied.

for (const field of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${field.getAttribute("aria-label")}`);
  button.addEventListener("click", async () => {
    field.select();
    button.textContent = (await copied(field.value)) ? "Copied" : "Press Ctrl+C";
  });
  field.addEventListener("focus", () => field.select());
  field.after(button);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
