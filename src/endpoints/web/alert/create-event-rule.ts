import { addEventRule } from "../../../services/alert/add-event-rule.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { requireOwner } from "../../../contract/access/require-owner.ts";
import { EventRule, toEventRule, type EventRuleRecord } from "../../../core/alert/event-rule.ts";
import { defaultCooldownMinutes } from "../../../core/alert/limits.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { eventRuleInput, everyEvent, problemOf, watchedAfter } from "./event-rule-input.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";

export const createEventRule = defineEndpoint({
  id: "event_rules.create",
  method: "POST",
  path: "/servers/{id}/event-rules",
  params: { id: "server_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Create a rule that raises an alert for events of a server's timeline: bans, crashes, restarts.",
  input: z.strictObject({ server_id: resourceIdInput(), ...eventRuleInput }),
  output: EventRule,
  success: [201, 200],
  errors: ["validation_error", "not_found", "not_owner", "limit_reached"],
  idempotent: true,
  example: {
    input: { server_id: exampleEventRule.server_id, name: "Crashes", preset: "crashes", notify_email: true },
    output: exampleEventRule,
  },

  check(sent, { fail }) {
    const problem = problemOf(sent);
    if (problem !== null) fail("validation_error", problem, { field: "event_types" });
  },

  async handle({ server_id, ...sent }, { db, caller, now, secrets, replay, fail, found }) {
    const { account, limits } = caller;
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const rule: EventRuleRecord = {
      ...watchedAfter(everyEvent, sent),
      id: secrets.newId(now),
      serverId: server.id,
      name: sent.name,
      cooldownMinutes: sent.cooldown_minutes ?? defaultCooldownMinutes,
      notify: {
        email: sent.notify_email ?? false,
        chat: sent.notify_chat ?? false,
        in_app: sent.notify_in_app ?? true,
      },
      enabled: true,
      mutedUntil: null,
      lastTriggeredAt: null,
      lastNotifiedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    const made = await db.write(addEventRule, rule, limits.event_rules, replay);
    if (made === null) {
      return fail(
        "limit_reached",
        `The plan (${account.plan}) allows ${limits.event_rules} rules on events per server, disabled ones included. Change or delete one.`,
        { limit: limits.event_rules },
      );
    }
    return made.id === rule.id ? created(toEventRule(made)) : toEventRule(made);
  },
});
