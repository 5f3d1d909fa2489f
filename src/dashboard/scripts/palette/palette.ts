import { ranked, type FoundEntry } from "./rank.ts";

/** The page at /find does the same without a script. */
export async function openPalette(): Promise<void> {
  if (document.querySelector("dialog[open]")) return;
  const { dialog, input, list } = made();
  dialog.showModal();
  input.focus();
  let entries: readonly FoundEntry[] = [];
  const show = () => render(list, input, ranked(entries, input.value));
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => press(event, list, input));
  const answer = await fetch("/find?data=entries", { headers: { accept: "application/json" } }).catch(
    () => null,
  );
  if (!answer?.ok) return location.assign("/find");
  entries = (await answer.json()) as FoundEntry[];
  show();
}

function made() {
  const dialog = element("dialog", { className: "palette" });
  const input = element("input", {
    type: "search",
    autocomplete: "off",
    placeholder: "Server, page, report, alert, guide",
  });
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-label", "Find anything");
  input.setAttribute("aria-expanded", "true");
  input.setAttribute("aria-controls", "palette-list");
  const list = element("ul", { id: "palette-list" });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Found");
  const hint = element("p", {
    className: "hint",
    textContent: "Arrow keys choose, Enter opens, Escape closes.",
  });
  dialog.append(input, list, hint);
  closeable(dialog);
  return { dialog, input, list };
}

/** A click beside the dialog, on its backdrop, closes it. */
function closeable(dialog: HTMLDialogElement): void {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
}

function render(list: HTMLElement, input: HTMLElement, found: readonly FoundEntry[]): void {
  list.replaceChildren(
    ...found.map(({ kind, name, about, href }, index) => {
      const option = element("li", { id: `palette-${index}` });
      option.setAttribute("role", "option");
      const link = element("a", { href, tabIndex: -1 });
      const label = element("bdi", { textContent: name });
      const words = element("span", {
        className: "quiet small",
        textContent: about === "" ? kind : `${kind}, ${about}`,
      });
      link.append(label, " ", words);
      option.append(link);
      return option;
    }),
  );
  if (found.length === 0)
    list.append(element("li", { className: "quiet", textContent: "Nothing is named like this." }));
  else choose(list, input, 0);
}

function choose(list: HTMLElement, input: HTMLElement, index: number): void {
  const options = [...list.querySelectorAll("[role=option]")];
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === index));
  const chosen = options[index];
  input.setAttribute("aria-activedescendant", chosen?.id ?? "");
  chosen?.scrollIntoView({ block: "nearest" });
}

function press(event: KeyboardEvent, list: HTMLElement, input: HTMLElement): void {
  const options = [...list.querySelectorAll("[role=option]")];
  const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && options.length > 0) {
    event.preventDefault();
    choose(list, input, (at + step + options.length) % options.length);
  }
  // In a search field with text, Escape would only clear the text.
  if (event.key === "Escape") {
    event.preventDefault();
    input.closest("dialog")?.close();
  }
  if (event.key === "Enter") {
    event.preventDefault();
    options[at]?.querySelector("a")?.click();
  }
}

export function openShortcuts(shortcuts: readonly (readonly [keys: string, words: string])[]): void {
  if (document.querySelector("dialog[open]")) return;
  const dialog = element("dialog", { className: "palette" });
  const list = element("dl", { className: "shortcuts" });
  for (const [keys, words] of shortcuts)
    list.append(
      element("dt", {}, element("kbd", { textContent: keys })),
      element("dd", { textContent: words }),
    );
  const close = element("button", { type: "button", className: "plain", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(element("h2", { textContent: "Keyboard shortcuts" }), list, close);
  closeable(dialog);
  dialog.showModal();
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}
