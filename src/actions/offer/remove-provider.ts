import { action } from "../../contract/endpoint/action.ts";
import { dropProvider } from "../../services/offer/drop-provider.ts";
import { adminAct } from "../admin-log-entry.ts";
import { plainText } from "../../core/text/third-party-text.ts";

export const removeProvider = action({
  id: "offers.remove_provider",
  who: "admin",
  input: { provider_id: plainText(64) },
  errors: ["invalid_state"],

  async run({ provider_id }, { db, caller, now, fail }) {
    if (!(await db.write(dropProvider, provider_id, adminAct({ caller, now }))))
      return fail(
        "invalid_state",
        "Only a provider without offers can be deleted. Withdraw its offers first.",
      );
    return null;
  },
});
