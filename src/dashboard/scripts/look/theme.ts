const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const { theme } = document.documentElement.dataset;

/** By the person's choice, or the system's. */
export const isDark = (): boolean => theme === "dark" || (theme !== "light" && systemIsDark.matches);

export function onThemeChange(act: () => void): void {
  systemIsDark.addEventListener("change", act);
  matchMedia("(forced-colors: active)").addEventListener("change", act);
}

/** Calls `act` when drawings must be renewed: for other colours, or another number of pixels. */
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

/** A property has the colours of both themes; an element gets the one in use. */
export function readColors<Name extends string>(
  element: Element,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const probe = element.appendChild(document.createElement("i"));
  // With forced colours all text has one colour, but the properties still differ.
  probe.style.setProperty("forced-color-adjust", "none");
  const read = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  // Sound: there is one entry for each name.
  return Object.fromEntries(read) as Record<Name, string>;
}
