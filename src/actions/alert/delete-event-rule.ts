import { action } from "../../contract/endpoint/action.ts";
import { removeEventRule } from "../../services/alert/change-event-rule.ts";
import { resourceIdInput } from "../../core/id.ts";

/** The alerts that the rule raised stay. */
export const deleteEventRule = action({
  id: "event_rules.delete",
  who: "person",
  input: { rule_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ rule_id }, { db, caller, found }) {
    found((await db.write(removeEventRule, rule_id, caller.account.id)) || null);
    return { deleted: true, rule_id };
  },
});
