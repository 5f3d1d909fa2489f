import { skipped, type GameFailure } from "./game-failure.ts";

/** `1.20.4`, `1.21`, and since 2026 `26.1`; a suffix such as `-pre1` or ` Release Candidate 1` belongs to the version before it. */
const released = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?/;
/** `23w43a`: the snapshot of a week. */
const weekly = /^(\d{2})w(\d{2})/;

/** The version and the snapshot that brought the command `tick`. */
const firstRelease = [1, 20, 3] as const;
const firstWeek = 23 * 100 + 43;

/** Whether this game has the command `tick`; null if the version's name cannot be read. */
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

/** The line that every server writes at its start. */
const starting = /Starting minecraft server version ([\w. -]{1,40})/i;
/** Forks of Paper that tick regions apart: one tick for all, which `tick sprint` measures, does not exist there. */
const regionised = /\b(?:Loading|running) Folia\b/i;

/** Why the game tests cannot run on the server that wrote this line; null for no reason. */
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
