const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const { theme } = document.documentElement.dataset;

/** Whether the page is dark: by the person's choice, or by the system's. */
export const isDark = (): boolean => theme === "dark" || (theme !== "light" && systemIsDark.matches);

/** Calls `act` when the colours of the page change. */
export function onThemeChange(act: () => void): void {
  systemIsDark.addEventListener("change", act);
  matchMedia("(forced-colors: active)").addEventListener("change", act);
}

/** Calls `act` when something drawn has to be drawn again: for other colours, or another number of pixels. */
export function onLookChange(act: () => void): void {
  onThemeChange(act);
  const onNextRatio = (): void =>
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      "change",
      () => {
        act();
        onNextRatio();
      },
      { once: true },
    );
  onNextRatio();
}

/**
 * Reads colours of the style sheet by the names of their properties. A property has the colours of both themes; what an
 * element has of it is the one in use.
 */
export function readColors<Name extends string>(
  element: Element,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const probe = element.appendChild(document.createElement("i"));
  // Where a person has colours of their own, text has one colour, but the properties still differ.
  probe.style.setProperty("forced-color-adjust", "none");
  const read = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  // Sound: there is one entry for each name.
  return Object.fromEntries(read) as Record<Name, string>;
}
