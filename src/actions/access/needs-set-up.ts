import { action } from "../../contract/endpoint/action.ts";
import { hasAnyAccount } from "../../store/access/account-entry.ts";

export const needsSetUp = action({
  id: "accounts.needs_set_up",
  who: "anyone",
  errors: [],

  run: async (_, { db }) => ({ needs_set_up: !(await db.read(hasAnyAccount)) }),
});
