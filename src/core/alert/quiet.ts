import { minuteMs, type Instant } from "../time.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { Quiet } from "./delivery.ts";

/** The longest mute there is: a week. One that ends later was set by a clock that was wrong. */
export const longestMuteMinutes = 10_080;
const longestMuteMs = longestMuteMinutes * minuteMs;
/** So many openings of a rule, */
const flappingOpenings = 5;
/** in so long a time, are flapping, */
const flappingWithinMs = 60 * minuteMs;
/** until so long passes without one. */
const flappingEndsAfterMs = 30 * minuteMs;

/** The part of a threshold rule or an event rule that decides whether an alert is sent. */
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
 * Why an alert that is raised now is sent to nobody; null when its channels are notified. `flaps`: its rule is flapping
 * and somebody knows. Maintenance outweighs a mute, that flapping, that the cooldown.
 */
export function quietOf(rule: QuietRule, inMaintenance: boolean, flaps: boolean, now: Instant): Quiet | null {
  if (inMaintenance) return "maintenance";
  if (isMuted(rule, now)) return "muted";
  if (flaps) return "flapping";
  return isCoolingDown(rule, now) ? "cooldown" : null;
}

type Flapping = Pick<RuleProgress, "openings" | "flappingSince">;

/** Whether somebody was notified of a rule since the openings began that made it flap. */
const isKnown = ({ lastNotifiedAt }: QuietRule, flappingSince: Instant, now: Instant): boolean =>
  lastNotifiedAt !== null && lastNotifiedAt <= now && lastNotifiedAt >= flappingSince - flappingWithinMs;

/**
 * A rule's openings with one more at `now`. `flaps`: it was flapping before this one and somebody knows, so this
 * one need not be sent. Openings that lie ahead of `now` were noted by a clock that was wrong, and are forgotten.
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
