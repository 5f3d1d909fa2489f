// Buttons that copy the text of a field. They are hidden without this script.

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.textContent = (await isCopied(field)) ? "Copied" : "Selected";
    setTimeout(() => (button.textContent = words), 2000);
  });
}

/** Copies the text of a field. Where the browser does not allow that, the text is selected. */
async function isCopied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return false;
  }
}
