// Buttons that copy a text of the page. They are hidden without this script.

for (const button of document.querySelectorAll("[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const isCopied = await copied(source);
    button.textContent = isCopied ? "Copied" : "Selected: copy it now";
    setTimeout(() => (button.textContent = words), 2000);
  });
}

/** Copies the text of an element; where the browser does not allow that, the text is selected. */
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
