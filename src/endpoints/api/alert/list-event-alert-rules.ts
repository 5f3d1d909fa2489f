import { eventRulesOf } from "../../../store/alert/event-rules.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { EventRule, toEventRule } from "../../../core/alert/event-rule.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";
import { resourceIdInput } from "../../../core/id.ts";

export const listEventAlertRules = defineEndpoint({
  id: "event_alert_rules.list",
  method: "GET",
  path: "/servers/{id}/event-alert-rules",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "All event rules of an own server, made in the dashboard.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: pageOf(EventRule),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleEventRule.server_id },
    output: {
      data: [{ ...exampleEventRule, last_triggered_at: "2026-11-14T03:12:09.000Z" }],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ server_id }, { db, caller, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    return completeList((await db.read(eventRulesOf, server.id)).map(toEventRule));
  },
});
