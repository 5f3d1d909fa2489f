import type { Instant } from "../time.ts";
import { eventPresets, newEventRule, type EventRuleRecord } from "./event-rule.ts";
import { defaultCooldownMinutes } from "./limits.ts";

/** What every server needs first: a message when it is down, does not tick, or is in a critical state. */
export const firstRule = {
  name: "Down or hanging",
  preset: "health",
  minSeverity: "error",
} as const;

/** In-app and by e-mail, as a ready-made rule. */
export const firstRuleOf = (serverId: string, id: string, now: Instant): EventRuleRecord =>
  newEventRule(
    {
      ...firstRule,
      id,
      serverId,
      eventTypes: eventPresets[firstRule.preset],
      categories: [],
      sources: [],
      cooldownMinutes: defaultCooldownMinutes,
      notify: { email: true, chat: false, in_app: true },
    },
    now,
  );
