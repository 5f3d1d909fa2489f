import { removeEventRule } from "../../../services/alert/change-event-rule.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";

export const deleteEventRule = defineEndpoint({
  id: "event_rules.delete",
  method: "DELETE",
  path: "/event-rules/{id}",
  params: { id: "rule_id" },
  access: { face: "web", who: "person" },
  summary: "Delete a rule on events for good; the alerts it raised stay.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: z.object({ deleted: z.boolean(), rule_id: Id }),
  errors: ["not_found"],
  example: {
    input: { rule_id: exampleEventRule.id },
    output: { deleted: true, rule_id: exampleEventRule.id },
  },

  async handle({ rule_id }, { db, caller, found }) {
    found((await db.write(removeEventRule, rule_id, caller.account.id)) || null);
    return { deleted: true, rule_id };
  },
});
