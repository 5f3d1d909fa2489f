import type { SoftwareInventory } from "./inventory.ts";

/**
 * Fills what the newest inventory does not know from the one before: a stopped server has no process and a
 * long log has lost its first lines, but the software is the same.
 */
export function withKnown(before: SoftwareInventory | null, after: SoftwareInventory): SoftwareInventory {
  if (before === null) return after;
  return {
    server: filled(before.server, after.server),
    java: filled(before.java, after.java),
    plugins: after.plugins ?? before.plugins,
    mods: after.mods ?? before.mods,
    // A sender that saw the files knows which settings are not in them.
    settings: after.files === null ? filled(before.settings, after.settings) : after.settings,
    files: after.files ?? before.files,
  };
}

/** Known values of `after`, else those of `before`. */
export const filled = <T extends object>(before: T, after: T): T => {
  const known = Object.entries(after).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(known) };
};
