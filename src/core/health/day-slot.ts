import { dayMs, minuteMs, type Instant } from "../time.ts";

/** Daily work is spread over the 5-minute turns, so that every turn takes about as long, ms. */
const slotMs = 5 * minuteMs;
const slots = dayMs / slotMs;

/** FNV-1a with 32 bits: it spreads ids evenly, and is the same in every process. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** When a server's daily work was last due: at the same time of each day (UTC), by a hash of its id. */
export function lastDaySlot(serverId: string, now: Instant): Instant {
  const offset = (hashOf(serverId) % slots) * slotMs;
  return offset + Math.floor((now - offset) / dayMs) * dayMs;
}

/** Whether this turn, which judges the bucket before `closed`, is the server's one of `everyTurns`. */
export const isTurnOf = (serverId: string, closed: Instant, everyTurns: number): boolean =>
  (hashOf(serverId) + Math.floor(closed / slotMs)) % everyTurns === 0;
