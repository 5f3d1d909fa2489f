import { action } from "../../contract/endpoint/action.ts";
import { removeAlertRule } from "../../services/alert/change-alert-rule.ts";
import { resourceIdInput } from "../../core/id.ts";

/** An open alert of the rule ends with `rule_deleted`; past alerts stay. */
export const deleteAlertRule = action({
  id: "alert_rules.delete",
  who: "person",
  input: { rule_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ rule_id }, { db, caller, now, found }) {
    found((await db.write(removeAlertRule, rule_id, caller.account.id, now)) || null);
    return { deleted: true, rule_id };
  },
});
