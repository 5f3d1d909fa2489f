import { action } from "../../contract/endpoint/action.ts";
import { changeEventRule } from "../../services/alert/change-event-rule.ts";
import { z } from "zod";
import { toEventRule } from "../../core/alert/event-rule.ts";
import { longestMuteMinutes } from "../../core/alert/quiet.ts";
import { resourceIdInput } from "../../core/id.ts";
import { minuteMs } from "../../core/time.ts";
import { eventRuleInput, refuseContradiction, watchedAfter } from "./event-rule-input.ts";

/** Only the sent fields change. */
export const updateEventRule = action({
  id: "event_rules.update",
  who: "person",
  plan: "monitoring",
  input: {
    rule_id: resourceIdInput(),
    ...eventRuleInput,
    name: eventRuleInput.name.optional(),
    enabled: z.boolean().optional(),
    mute_minutes: z.int().min(0).max(longestMuteMinutes).optional(),
  },
  errors: ["validation_error", "not_found"],

  async run({ rule_id, ...sent }, { db, caller, now, fail, found }) {
    refuseContradiction(sent, fail);
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
