import { dayMs, minuteMs, type Instant } from "../time.ts";

/** The work of a day is spread over the turns of five minutes, so that no turn of the day is longer than another. */
const slotMs = 5 * minuteMs;
const slots = dayMs / slotMs;

/** FNV-1a with 32 bits: it spreads ids evenly, and gives the same number in every process. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** When the work that a server needs once a day was due last: at the same time of each day (UTC), by a hash of its id. */
export function lastDaySlot(serverId: string, now: Instant): Instant {
  const offset = (hashOf(serverId) % slots) * slotMs;
  return offset + Math.floor((now - offset) / dayMs) * dayMs;
}

/** Whether the turn in which the bucket before `closed` is judged is that of the server, of every so many turns one. */
export const isTurnOf = (serverId: string, closed: Instant, everyTurns: number): boolean =>
  (hashOf(serverId) + Math.floor(closed / slotMs)) % everyTurns === 0;
