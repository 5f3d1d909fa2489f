import type { Instant } from "../../core/time.ts";
import type { EventRuleDefinition } from "../../core/alert/records.ts";
import { isDeepStrictEqual } from "node:util";
import type { EventRuleRecord } from "../../core/alert/event-rule.ts";
import { dropEventRule, eventRuleOfAccount, saveEventRule } from "../../store/alert/event-rules.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";

type Held = Work<EventRuleRecord | null>;

/** Locks the rule's server and reads the rule; null if the account has no such rule. */
function* lockEventRule(id: string, account: string): Held {
  const seen = yield* eventRuleOfAccount(id, account);
  if (!seen) return null;
  yield* lockServer(seen.serverId);
  return yield* eventRuleOfAccount(id, account);
}

/** A definition that changes nothing is not written. */
export function* changeEventRule(
  id: string,
  account: string,
  now: Instant,
  decide: (rule: EventRuleRecord) => EventRuleDefinition,
): Held {
  const before = yield* lockEventRule(id, account);
  if (!before) return null;
  const after = { ...before, ...decide(before) };
  if (isDeepStrictEqual(after, before)) return before;
  const changed = { ...after, updatedAt: Math.max(now, before.updatedAt + 1) };
  yield* saveEventRule(changed);
  return changed;
}

/** The rule's alerts stay. Returns false if the account has no such rule. */
export function* removeEventRule(id: string, account: string): Work<boolean> {
  if (!(yield* lockEventRule(id, account))) return false;
  yield* run(dropEventRule, { id });
  return true;
}
