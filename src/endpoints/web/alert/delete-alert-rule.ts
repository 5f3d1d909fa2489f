import { removeAlertRule } from "../../../services/alert/change-alert-rule.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";

const exampleId = "019a9f5e-1d00-7000-8000-000000000060";

export const deleteAlertRule = defineEndpoint({
  id: "alert_rules.delete",
  method: "DELETE",
  path: "/alert-rules/{id}",
  params: { id: "rule_id" },
  access: { face: "web", who: "person" },
  summary: "Delete an alert rule for good; its open alert ends with rule_deleted, past alerts stay.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: z.object({ deleted: z.boolean(), rule_id: Id }),
  errors: ["not_found"],
  example: { input: { rule_id: exampleId }, output: { deleted: true, rule_id: exampleId } },

  async handle({ rule_id }, { db, caller, now, found }) {
    found((await db.write(removeAlertRule, rule_id, caller.account.id, now)) || null);
    return { deleted: true, rule_id };
  },
});
