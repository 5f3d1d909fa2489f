// Buttons that copy the text of a field. They are hidden without this script.

/** The time for which a button says what it did, ms. */
const saidMs = 2_000;

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copies]")) {
  const field = document.getElementById(button.dataset["copies"] ?? "");
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) start(button, field);
}

function start(button: HTMLButtonElement, field: HTMLTextAreaElement | HTMLInputElement): void {
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    void isCopied(field).then((copied) => (button.textContent = copied ? "Copied" : "Selected"));
    setTimeout(() => (button.textContent = words), saidMs);
  });
}

/** Copies the text of a field. Where the browser does not allow that, the text is selected. */
async function isCopied(field: HTMLTextAreaElement | HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return false;
  }
}
