import { changeEventRule } from "../../../services/alert/change-event-rule.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { EventRule, toEventRule } from "../../../core/alert/event-rule.ts";
import { longestMuteMinutes } from "../../../core/alert/quiet.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { minuteMs } from "../../../core/time.ts";
import { eventRuleInput, problemOf, watchedAfter } from "./event-rule-input.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";

export const updateEventRule = defineEndpoint({
  id: "event_rules.update",
  method: "PATCH",
  path: "/event-rules/{id}",
  params: { id: "rule_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Change, pause or mute a rule on events; only the fields sent change.",
  input: z.strictObject({
    rule_id: resourceIdInput(),
    ...eventRuleInput,
    name: eventRuleInput.name.optional(),
    enabled: z.boolean().optional(),
    mute_minutes: z.int().min(0).max(longestMuteMinutes).optional(),
  }),
  output: EventRule,
  errors: ["validation_error", "not_found"],
  example: {
    input: { rule_id: exampleEventRule.id, enabled: false },
    output: { ...exampleEventRule, enabled: false },
  },

  check(sent, { fail }) {
    const problem = problemOf(sent);
    if (problem !== null) fail("validation_error", problem, { field: "event_types" });
  },

  async handle({ rule_id, ...sent }, { db, caller, now, found }) {
    const mute = sent.mute_minutes;
    const rule = await db.write(changeEventRule, rule_id, caller.account.id, now, (before) => ({
      ...watchedAfter(before, sent),
      name: sent.name ?? before.name,
      cooldownMinutes: sent.cooldown_minutes ?? before.cooldownMinutes,
      notify: {
        email: sent.notify_email ?? before.notify.email,
        chat: sent.notify_chat ?? before.notify.chat,
        in_app: sent.notify_in_app ?? before.notify.in_app,
      },
      enabled: sent.enabled ?? before.enabled,
      mutedUntil: mute === undefined ? before.mutedUntil : mute === 0 ? null : now + mute * minuteMs,
    }));
    return toEventRule(found(rule));
  },
});
