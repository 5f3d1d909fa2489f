import { skipped, type GameFailure } from "./game-failure.ts";

/** `1.20.4`, `1.21`, and since 2026 `26.1`; a suffix such as `-pre1` belongs to the version before it. */
const released = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?/;
/** `23w43a`: a weekly snapshot. */
const weekly = /^(\d{2})w(\d{2})/;

/** The first release and the first snapshot with the command `tick`. */
const firstRelease = [1, 20, 3] as const;
const firstWeek = 23 * 100 + 43;

/** Null if the version's name cannot be read. */
export function hasTickCommand(version: string): boolean | null {
  const [, year, week] = weekly.exec(version) ?? [];
  if (year !== undefined) return Number(year) * 100 + Number(week) >= firstWeek;
  const [, ...parts] = released.exec(version) ?? [];
  if (parts.length === 0) return null;
  const numbers = parts.map((part) => Number(part ?? 0));
  for (const [index, least] of firstRelease.entries()) {
    const number = numbers[index] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
}

/** Every server writes this line at its start. */
const starting = /Starting minecraft server version ([\w. -]{1,40})/i;
/** Forks of Paper whose regions tick apart have no common tick, which `tick sprint` measures. */
const regionised = /\b(?:Loading|running) Folia\b/i;

/** Why a server that wrote this line cannot be measured; null for no reason. */
export function unsupportedBy(line: string): GameFailure | null {
  if (regionised.test(line))
    return skipped(
      "platform_unsupported",
      "This server is Folia, whose regions tick apart: the game tests measure one tick of the whole game.",
    );
  const version = starting.exec(line)?.[1]?.trim();
  return version !== undefined && hasTickCommand(version) === false
    ? skipped(
        "game_version_unsupported",
        `The game tests need the command "tick" of Minecraft 1.20.3 or newer; this server is ${version}.`,
      )
    : null;
}
