/** How long a button shows its result, ms. */
const saidMs = 2_000;

/** The buttons are hidden without a script. */
export function showCopyButtons(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLButtonElement>("[data-copies]")) {
    const source = document.getElementById(button.dataset["copies"] ?? "");
    if (source) start(button, source);
  }
}

function start(button: HTMLButtonElement, source: HTMLElement): void {
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    void isCopied(source).then((copied) => (button.textContent = copied ? "Copied" : "Selected"));
    setTimeout(() => (button.textContent = words), saidMs);
  });
}

/** If the browser does not allow copying, the text is selected. */
async function isCopied(source: HTMLElement): Promise<boolean> {
  const isField = source instanceof HTMLTextAreaElement || source instanceof HTMLInputElement;
  try {
    await navigator.clipboard.writeText(isField ? source.value : source.textContent.trim());
    return true;
  } catch {
    if (isField) source.select();
    else getSelection()?.selectAllChildren(source);
    return false;
  }
}
