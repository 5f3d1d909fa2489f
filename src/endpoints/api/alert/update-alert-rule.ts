import { alertRuleOfAccount } from "../../../store/alert/alert-rules.ts";
import { changeAlertRule } from "../../../services/alert/change-alert-rule.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { actingToken, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Secrets } from "../../../app/access/secrets.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { AlertRule, type RuleDefinition, type RuleRecord } from "../../../core/alert/alert-rule.ts";
import { ruleProblem } from "../../../core/alert/limits.ts";
import { isMuted, longestMuteMinutes } from "../../../core/alert/quiet.ts";
import { ruleDisabled, ruleMuted, type Occasion } from "../../../core/event/own-event.ts";
import { tokenNotice, type Trace } from "../../../core/event/trace.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { isNewSilence } from "../../../core/notice/silence.ts";
import { minuteMs, type Instant } from "../../../core/time.ts";
import { changedDefinition, problemOfSent } from "./changed-definition.ts";
import { exampleRule } from "./example-rule.ts";
import { ruleInput } from "./rule-input.ts";
import { showRule } from "./show-rule.ts";

export const updateAlertRule = defineEndpoint({
  id: "alert_rules.update",
  method: "PATCH",
  path: "/alert-rules/{id}",
  params: { id: "rule_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary:
    "Change, pause or mute an alert rule; only the fields sent change. Its open alert is closed if the rule watches something else, or is paused.",
  input: z.strictObject({
    rule_id: resourceIdInput(),
    ...ruleInput,
    name: ruleInput.name.optional(),
    metric: ruleInput.metric.optional(),
    enabled: z.boolean().optional(),
    mute_minutes: z.int().min(0).max(longestMuteMinutes).optional(),
  }),
  output: AlertRule,
  errors: ["validation_error", "not_found"],
  example: {
    input: { rule_id: exampleRule.id, mute_minutes: 60 },
    output: { ...exampleRule, muted_until: "2026-11-20T08:34:00.000Z" },
  },

  check(sent, { fail }) {
    const problem = problemOfSent(sent);
    if (problem) fail("validation_error", problem.message, { field: problem.field });
  },

  async handle({ rule_id, ...sent }, { db, caller, now, secrets, fail, found }) {
    const { account } = caller;
    const seen = found(await db.read(alertRuleOfAccount, rule_id, account.id));
    const server = found(await db.read(selectMonitoredServer, seen.serverId, account.id));
    const rule = await db.write(changeAlertRule, rule_id, account.id, now, (before) => {
      const definition = changedDefinition(before, sent, now);
      const problem = ruleProblem(definition);
      if (problem) fail("validation_error", problem.message, { field: problem.field });
      const known = isMuted(before, now) ? before.muteToldUntil : null;
      const { mutedUntil: until } = definition;
      const mutes = until !== null && (sent.mute_minutes ?? 0) > 0 && isNewSilence(known, until);
      const traces = tracesOf(before, definition, mutes, server.name, caller, secrets, now);
      return { definition, muteToldUntil: mutes ? until : known, traces };
    });
    return showRule(found(rule), server.sample);
  },
});

/** Records a token's change and notifies the owner, only if it silences alerts. `mutes`: a new mute. */
function tracesOf(
  before: RuleRecord,
  after: RuleDefinition,
  mutes: boolean,
  serverName: string | null,
  caller: AccountCaller,
  secrets: Secrets,
  now: Instant,
): Trace[] {
  const token = actingToken(caller);
  if (token === null) return [];
  const { id, serverId } = before;
  const traces: Trace[] = [];
  const occasion = (): Occasion => ({ id: secrets.newId(now), serverId, now });
  const notice = (kind: "rule_disabled" | "rule_muted", until: Instant | null) =>
    tokenNotice(
      { id: secrets.newId(now), accountId: caller.account.id, serverId },
      { kind, tokenName: token.name, client: token.client, subject: after.name, serverName, until, at: now },
    );
  const rule = { id, name: after.name };
  if (before.enabled && !after.enabled) {
    traces.push({ event: ruleDisabled(occasion(), token, rule), notice: notice("rule_disabled", null) });
  }
  const { mutedUntil: until } = after;
  if (mutes && until !== null) {
    const minutes = Math.round((until - now) / minuteMs);
    const event = ruleMuted(occasion(), token, rule, { minutes, until });
    traces.push({ event, notice: notice("rule_muted", until) });
  }
  return traces;
}
