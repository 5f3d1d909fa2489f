import { addAlertRule } from "../../../services/alert/add-alert-rule.ts";
import { selectServer, selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { requireOwner } from "../../../contract/call/require-owner.ts";
import { AlertRule } from "../../../core/alert/alert-rule.ts";
import { defaultCooldownMinutes, defaultDurationMinutes, ruleProblem } from "../../../core/alert/limits.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRule } from "./example-rule.ts";
import { ruleInput } from "./rule-input.ts";
import { showRule } from "./show-rule.ts";

export const createAlertRule = defineEndpoint({
  id: "alert_rules.create",
  method: "POST",
  path: "/servers/{id}/alert-rules",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary:
    "Create a rule that raises an alert when a metric of a server stays beyond a threshold, or when the server is offline.",
  input: z.strictObject({ server_id: resourceIdInput(), ...ruleInput }),
  output: AlertRule,
  success: [201, 200],
  errors: ["validation_error", "not_found", "not_owner", "limit_reached", "idempotency_mismatch"],
  replayable: true,
  idempotent: true,
  example: {
    input: {
      server_id: exampleRule.server_id,
      name: "Low TPS",
      metric: "tps",
      condition: "below",
      threshold: 18,
      notify_email: true,
    },
    output: exampleRule,
  },

  check(draft, { fail }) {
    const problem = ruleProblem(draft);
    if (problem) fail("validation_error", problem.message, { field: problem.field });
  },

  async handle({ server_id, ...sent }, { db, caller, now, secrets, replay, fail, found }) {
    const { account, limits } = caller;
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const made = await db.write(
      addAlertRule,
      {
        id: secrets.newId(now),
        serverId: server.id,
        accountId: account.id,
        definition: {
          name: sent.name,
          metric: sent.metric,
          condition: sent.condition ?? null,
          threshold: sent.threshold ?? null,
          durationMinutes: sent.duration_minutes ?? defaultDurationMinutes,
          cooldownMinutes: sent.cooldown_minutes ?? defaultCooldownMinutes,
          notify: {
            email: sent.notify_email ?? false,
            chat: sent.notify_chat ?? false,
            in_app: sent.notify_in_app ?? true,
          },
          enabled: true,
          mutedUntil: null,
        },
        now,
        limit: limits.alert_rules,
      },
      replay,
    );
    if (made === null) {
      return fail(
        "limit_reached",
        `The plan (${account.plan}) allows ${limits.alert_rules} alert rules per server, disabled ones included. Change one, or delete one in the dashboard.`,
        { limit: limits.alert_rules },
      );
    }
    if (made.kind === "mismatch") {
      return fail(
        "idempotency_mismatch",
        "This Idempotency-Key was used before with another body. Use a new key for a new request.",
      );
    }
    const { sample } = found(await db.read(selectMonitoredServer, server.id, account.id));
    const shown = showRule(made.value, sample);
    return made.kind === "created" ? created(shown) : shown;
  },
});
