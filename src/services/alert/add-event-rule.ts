import type { Replay } from "../../core/replay.ts";
import type { EventRuleRecord } from "../../core/alert/event-rule.ts";
import { findSameBody, noteMade } from "../../store/access/replays.ts";
import { countEventRules, eventRuleOfAccount, insertEventRule } from "../../store/alert/event-rules.ts";
import type { Work } from "../../store/engine/database.ts";
import { requireServer } from "../../store/server/locks.ts";

type Added = Work<EventRuleRecord | null>;

/** Null at the limit. The server's lock also serializes repeated requests, whose bodies name the server. */
export function* addEventRule(rule: EventRuleRecord, limit: number, replay?: Replay): Added {
  yield* requireServer(rule.serverId);
  for (const { id, updatedAt } of replay ? yield* findSameBody(replay) : []) {
    const made = yield* eventRuleOfAccount(id, replay?.accountId ?? "");
    if (made?.updatedAt === updatedAt) return made;
  }
  if ((yield* countEventRules(rule.serverId)) >= limit) return null;
  yield* insertEventRule(rule);
  if (replay) yield* noteMade(replay, rule.id, rule.updatedAt);
  return rule;
}
