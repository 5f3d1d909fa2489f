import type { SoftwareInventory } from "./inventory.ts";

/**
 * The newest inventory, with what it does not know of the server, Java and whole lists as it was known before. A
 * stopped server has no process, and a long log has lost its first lines: that is no other software.
 */
export function withKnown(before: SoftwareInventory | null, after: SoftwareInventory): SoftwareInventory {
  if (before === null) return after;
  return {
    server: filled(before.server, after.server),
    java: filled(before.java, after.java),
    plugins: after.plugins ?? before.plugins,
    mods: after.mods ?? before.mods,
    // A sender that saw the files saw which settings are not in them.
    settings: after.files === null ? filled(before.settings, after.settings) : after.settings,
    files: after.files ?? before.files,
  };
}

/** A block with the values of `after` where they are known, else those of `before`. */
export const filled = <T extends object>(before: T, after: T): T => {
  const known = Object.entries(after).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(known) };
};
