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
  summary: "All threshold and offline rules of a server of the caller, newest first, and where each stands.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: pageOf(AlertRule),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleRule.server_id },
    output: { data: [exampleRule], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id }, { stores, caller, found }) {
    const server = found(await stores.servers.findMonitored(server_id, caller.account.id));
    const rules = await stores.alertRules.list(server.id);
    return completeList(rules.map((rule) => showRule(rule, server.sample)));
  },
});
