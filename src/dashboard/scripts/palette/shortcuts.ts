/** Typed after `g`. */
const places: Readonly<Record<string, readonly [href: string, words: string]>> = {
  s: ["/servers", "Servers"],
  a: ["/alerts", "Alerts"],
  n: ["/notices", "Notices"],
  r: ["/reports", "Reports"],
  d: ["/docs", "Documentation"],
};

const shortcuts: readonly (readonly [keys: string, words: string])[] = [
  ["Ctrl K or /", "Find anything"],
  ...Object.entries(places).map(([key, [, words]]) => [`g ${key}`, words] as const),
  ["?", "This list"],
];

/** The second key of a shortcut must follow within this time, ms. */
const togetherMs = 1_500;

/** If the dialog cannot be loaded, such as after an update of the service, its page is opened. */
const find = (): void =>
  void import("./palette.ts").then(({ openPalette }) => openPalette()).catch(() => location.assign("/find"));

/** The dialogs are loaded on first use. */
export function listenToShortcuts(): void {
  let leadingAt = -Infinity;
  addEventListener("keydown", (event) => {
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
    if (isFind) {
      event.preventDefault();
      find();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isSecond = performance.now() - leadingAt < togetherMs;
    leadingAt = event.key === "g" ? performance.now() : -Infinity;
    const [href] = (isSecond && places[event.key]) || [];
    if (href !== undefined) location.assign(href);
    else if (event.key === "/") {
      event.preventDefault();
      find();
    } else if (event.key === "?")
      void import("./palette.ts").then((palette) => palette.openShortcuts(shortcuts)).catch(() => {});
  });
  document.querySelector("[data-find]")?.addEventListener("click", (event) => {
    event.preventDefault();
    find();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input, select, textarea") ||
    target.closest("dialog") !== null);
