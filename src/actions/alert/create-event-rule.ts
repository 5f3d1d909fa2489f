import { action } from "../../contract/endpoint/action.ts";
import { addEventRule } from "../../services/alert/add-event-rule.ts";
import { selectServer } from "../../store/server/servers.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { requireOwner } from "../../contract/call/require-owner.ts";
import { newEventRule, toEventRule } from "../../core/alert/event-rule.ts";
import { defaultCooldownMinutes } from "../../core/alert/limits.ts";
import { resourceIdInput } from "../../core/id.ts";
import { eventRuleInput, everyEvent, refuseContradiction, watchedAfter } from "./event-rule-input.ts";

/** Event rules raise alerts for timeline events: bans, crashes, restarts. */
export const createEventRule = action({
  id: "event_rules.create",
  who: "person",
  plan: "monitoring",
  input: { server_id: resourceIdInput(), ...eventRuleInput },
  errors: ["validation_error", "not_found", "not_owner", "limit_reached"],

  async run({ server_id, ...sent }, { db, caller, now, secrets, replay, fail, found }) {
    const { account, limits } = caller;
    refuseContradiction(sent, fail);
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const rule = newEventRule(
      {
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
      },
      now,
    );
    const made = await db.write(addEventRule, rule, limits.event_rules, replay);
    if (made === null) {
      return fail(
        "limit_reached",
        `The plan (${account.plan}) allows ${limits.event_rules} rules on events per server, disabled ones included. Change or delete one.`,
        { limit: limits.event_rules },
      );
    }
    return toEventRule(made);
  },
});
