import type { NewRule } from "../../core/alert/records.ts";
import { freshProgress, type RuleRecord } from "../../core/alert/alert-rule.ts";
import type { Replay, Replayed } from "../../core/replay.ts";
import { noteMade } from "../../store/access/replays.ts";
import { findEarlier } from "../access/find-earlier.ts";
import { alertRuleOfAccount, countAlertRules, insertAlertRule } from "../../store/alert/alert-rules.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";

type Added = Work<Replayed<RuleRecord> | null>;

/** Creates the rule, or finds the one that the same request created before; null at the limit. */
export function* addAlertRule(made: NewRule, replay: Replay): Added {
  // Locks the account, not the server: two requests with one key may name different servers.
  yield* lockAccount(made.accountId);
  const earlier = yield* findEarlier(replay);
  if (earlier === "mismatch") return { kind: "mismatch" };
  for (const { id, updatedAt } of earlier) {
    const value = yield* alertRuleOfAccount(id, made.accountId);
    // Without a key, only an unchanged result counts as the same intent.
    if (value && (replay.key !== null || value.updatedAt === updatedAt)) return { kind: "same", value };
  }
  yield* requireServerOf(made.accountId, made.serverId);
  if ((yield* countAlertRules(made.serverId)) >= made.limit) return null;
  const rule: RuleRecord = {
    ...made.definition,
    id: made.id,
    serverId: made.serverId,
    muteToldUntil: null,
    progress: freshProgress(made.definition.enabled, made.now),
    lastTriggeredAt: null,
    lastNotifiedAt: null,
    openAlertId: null,
    createdAt: made.now,
    updatedAt: made.now,
  };
  yield* insertAlertRule(rule);
  yield* noteMade(replay, rule.id, rule.updatedAt);
  return { kind: "created", value: rule };
}
