import { action } from "../../contract/endpoint/action.ts";
import { hasAnyAccount } from "../../store/access/account-entry.ts";

/** Whether this service has no account yet, so that the first one can be made. */
export const needsSetUp = action({
  id: "accounts.needs_set_up",
  who: "anyone",
  errors: [],

  run: async (_, { db }) => ({ needs_set_up: !(await db.read(hasAnyAccount)) }),
});
