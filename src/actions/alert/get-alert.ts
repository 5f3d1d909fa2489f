import { action } from "../../contract/endpoint/action.ts";
import { alertOfAccount } from "../../store/alert/alerts.ts";
import { toAlert } from "../../core/alert/alert.ts";
import { resourceIdInput } from "../../core/id.ts";

export const getAlert = action({
  id: "alerts.get",
  who: "person",
  input: { alert_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ alert_id }, { db, caller, found }) {
    return toAlert(found(await db.read(alertOfAccount, alert_id, caller.account.id)));
  },
});
