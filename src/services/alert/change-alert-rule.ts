import type { Instant } from "../../core/time.ts";
import type { RuleDecision } from "../../core/alert/records.ts";
import type { RuleRecord } from "../../core/alert/alert-rule.ts";
import type { ResolutionReason } from "../../core/alert/alert.ts";
import { changeRule } from "../../core/alert/change-rule.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import { isInMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { resolveAlert } from "./resolve-alert.ts";
import { alertRuleById, alertRuleOfAccount, dropAlertRule, saveRule } from "../../store/alert/alert-rules.ts";
import { lockAlert } from "../../store/alert/alerts.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { recordTrace } from "../event/record-trace.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import { lockServer } from "../../store/server/locks.ts";

type Changed = Work<RuleRecord | null>;

/** Also resolves the rule's open alert if the changed rule no longer watches for it. */
export function* changeAlertRule(
  id: string,
  account: string,
  now: Instant,
  decide: (rule: RuleRecord) => RuleDecision,
): Changed {
  const seen = yield* alertRuleOfAccount(id, account);
  if (!seen) return null;
  yield* lockServer(seen.serverId);
  const before = yield* alertRuleById(id);
  if (!before) return null;
  const { definition, muteToldUntil, traces } = decide(before);
  const { rule: changed, closes } = changeRule(before, definition, muteToldUntil, now);
  if (changed === before) return before;
  for (const trace of traces) yield* recordTrace(trace);
  if (closes !== null) yield* closeAlert(changed, closes, now);
  const rule = closes === null ? changed : { ...changed, openAlertId: null };
  yield* saveRule(rule);
  return rule;
}

function* closeAlert(rule: RuleRecord, reason: ResolutionReason, now: number): Work<void> {
  if (rule.openAlertId === null) return;
  const alert = yield* lockAlert(rule.openAlertId);
  const quiet = isMuted(rule, now) || isInMaintenance(yield* maintenanceOf(rule.serverId), now);
  if (alert) yield* resolveAlert(alert, reason, quiet, now);
}

/** Also resolves the rule's open alert. Returns false if the account has no such rule. */
export function* removeAlertRule(id: string, account: string, now: number): Work<boolean> {
  const seen = yield* alertRuleOfAccount(id, account);
  if (!seen) return false;
  yield* lockServer(seen.serverId);
  const rule = yield* alertRuleById(id);
  if (!rule) return false;
  yield* closeAlert(rule, "rule_deleted", now);
  yield* run(dropAlertRule, { id });
  return true;
}
