import { rulesOf } from "../../../store/alert/alert-rules.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { AlertRule } from "../../../core/alert/alert-rule.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRule } from "./example-rule.ts";
import { showRule } from "./show-rule.ts";

export const listAlertRules = defineEndpoint({
  id: "alert_rules.list",
  method: "GET",
  path: "/servers/{id}/alert-rules",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "All threshold and offline rules of a server of the caller, newest first, with the state of each.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: pageOf(AlertRule),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleRule.server_id },
    output: { data: [exampleRule], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id }, { db, caller, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const rules = await db.read(rulesOf, server.id);
    return completeList(rules.map((rule) => showRule(rule, server.sample)));
  },
});
