import type { AccountRule } from "../../core/alert/account-rule.ts";
import { eventRuleOf, thresholdRuleOf } from "../../core/alert/account-rule.ts";
import { toAlertRule, lastValueOf, type RuleRecord } from "../../core/alert/alert-rule.ts";
import { toEventRule, type EventRuleRecord } from "../../core/alert/event-rule.ts";
import type { AlertKind } from "../../core/alert/alert.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Work } from "../../store/engine/database.ts";
import { alertRulesOfAccount } from "../../store/alert/alert-rules.ts";
import { eventRulesOfAccount } from "../../store/alert/event-rules.ts";
import { monitoredServers } from "../../store/server/server-rows.ts";

export interface RuleFilter {
  /** Null for both kinds. */
  readonly kind: AlertKind | null;
  readonly enabled: boolean | null;
}

/** A rule with its place in a list that is newest first. */
export interface PlacedRule {
  readonly rule: AccountRule;
  readonly place: TimePosition;
}

type Found =
  | { readonly kind: "threshold"; readonly rule: RuleRecord }
  | { readonly kind: "event"; readonly rule: EventRuleRecord };

const newestFirst = ({ rule: one }: Found, { rule: other }: Found): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** The newest rules of all servers of an account behind a place: three statements. */
export function* rulesOfAccount(
  account: string,
  { kind, enabled }: RuleFilter,
  after: TimePosition | null,
  limit: number,
): Work<PlacedRule[]> {
  const asked = { account, enabled, after, limit };
  const found: Found[] = [];
  if (kind !== "event")
    for (const rule of yield* alertRulesOfAccount(asked)) found.push({ kind: "threshold", rule });
  if (kind !== "threshold")
    for (const rule of yield* eventRulesOfAccount(asked)) found.push({ kind: "event", rule });
  const shown = found.toSorted(newestFirst).slice(0, limit);
  const ids = new Set(shown.map(({ rule }) => rule.serverId));
  const servers = new Map((yield* monitoredServers([...ids])).map((server) => [server.id, server]));
  return shown.map((each) => {
    const server = servers.get(each.rule.serverId);
    const name = server?.name ?? null;
    const { createdAt: at, id } = each.rule;
    const rule =
      each.kind === "event"
        ? eventRuleOf(toEventRule(each.rule), name)
        : thresholdRuleOf(toAlertRule(each.rule, lastValueOf(each.rule, server?.sample ?? null)), name);
    return { rule, place: { at, id } };
  });
}
