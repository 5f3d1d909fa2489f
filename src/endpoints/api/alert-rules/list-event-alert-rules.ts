import { z } from "zod";
import { ownEyes } from "../../../contract/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { completeList, pageOf } from "../../../contract/page.ts";
import { EventRule, toEventRule } from "../../../core/alert/event-rule.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRule } from "./example-rule.ts";

export const listEventAlertRules = defineEndpoint({
  id: "event_alert_rules.list",
  method: "GET",
  path: "/servers/{id}/event-alert-rules",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "All event rules (bans, crashes, restarts) of a server of the caller; made in the dashboard.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: pageOf(EventRule),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleRule.server_id },
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000062",
          server_id: exampleRule.server_id,
          name: "Crashes",
          event_types: ["server_crash"],
          categories: [],
          min_severity: null,
          sources: [],
          cooldown_minutes: 30,
          notify_email: true,
          notify_chat: false,
          notify_in_app: true,
          enabled: true,
          muted_until: null,
          last_triggered_at: "2026-11-14T03:12:09.000Z",
          created_at: "2026-11-02T08:00:00.000Z",
          updated_at: "2026-11-02T08:00:00.000Z",
        },
      ],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ server_id }, { stores, caller, found }) {
    const server = found(await stores.servers.find(server_id, ownEyes(caller)));
    return completeList((await stores.eventRules.list(server.id)).map(toEventRule));
  },
});
