import { minuteMs, type Instant } from "../time.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { Quiet } from "./delivery.ts";

/** A week. A mute that ends later was set by a wrong clock, and is ignored. */
export const longestMuteMinutes = 10_080;
const longestMuteMs = longestMuteMinutes * minuteMs;
/** A rule flaps from this many openings */
const flappingOpenings = 5;
/** within this time, ms, */
const flappingWithinMs = 60 * minuteMs;
/** until this much time passes without an opening, ms. */
const flappingEndsAfterMs = 30 * minuteMs;

export interface QuietRule {
  readonly cooldownMinutes: number;
  readonly mutedUntil: Instant | null;
  /** When an alert of this rule was last sent to somebody. */
  readonly lastNotifiedAt: Instant | null;
}

export const isMuted = ({ mutedUntil }: Pick<QuietRule, "mutedUntil">, now: Instant): boolean =>
  mutedUntil !== null && mutedUntil > now && mutedUntil - now <= longestMuteMs;

const isCoolingDown = ({ lastNotifiedAt, cooldownMinutes }: QuietRule, now: Instant): boolean =>
  lastNotifiedAt !== null && lastNotifiedAt <= now && now - lastNotifiedAt < cooldownMinutes * minuteMs;

/**
 * Why a new alert is sent to nobody; null if its channels are notified. Reasons in order of precedence.
 * `flaps`: the rule is flapping and somebody was notified of that.
 */
export function quietOf(rule: QuietRule, inMaintenance: boolean, flaps: boolean, now: Instant): Quiet | null {
  if (inMaintenance) return "maintenance";
  if (isMuted(rule, now)) return "muted";
  if (flaps) return "flapping";
  return isCoolingDown(rule, now) ? "cooldown" : null;
}

type Flapping = Pick<RuleProgress, "openings" | "flappingSince">;

/** Whether somebody was notified since the openings began that made the rule flap. */
const isKnown = ({ lastNotifiedAt }: QuietRule, flappingSince: Instant, now: Instant): boolean =>
  lastNotifiedAt !== null && lastNotifiedAt <= now && lastNotifiedAt >= flappingSince - flappingWithinMs;

/**
 * Adds an opening at `now`. `flaps`: the rule flapped before and somebody knows, so that this opening is not
 * sent. Openings after `now` were noted by a wrong clock, and are dropped.
 */
export function noteOpening(
  rule: QuietRule,
  progress: Flapping,
  now: Instant,
): Flapping & { readonly flaps: boolean } {
  const earlier = progress.openings.filter((opening) => opening <= now);
  const last = earlier.at(-1);
  const since = progress.flappingSince;
  const goesOn = since !== null && since <= now && last !== undefined && now - last < flappingEndsAfterMs;
  const openings = [...earlier, now].slice(-flappingOpenings);
  const [first] = openings;
  const begins =
    openings.length === flappingOpenings && first !== undefined && now - first <= flappingWithinMs;
  return {
    openings,
    flappingSince: goesOn ? since : begins ? now : null,
    flaps: goesOn && isKnown(rule, since, now),
  };
}
