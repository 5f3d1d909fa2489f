import { action } from "../../contract/endpoint/action.ts";
import { requireVerifiedEmail } from "../../contract/call/publishing.ts";
import {
  mostStatusPages,
  StatusAddress,
  statusPageFields,
  toStatusPage,
} from "../../core/status-page/status-page.ts";
import { addStatusPage } from "../../services/status-page/add-status-page.ts";
import { choiceOf, takenWords } from "./status-page-words.ts";

/** Without an address, a random one is used. */
export const createStatusPage = action({
  id: "status_pages.create",
  who: "person",
  plan: "monitoring",
  input: { address: StatusAddress.optional(), ...statusPageFields },
  errors: ["not_found", "quota_exceeded", "invalid_state", "email_not_verified", "text_rejected"],

  async run({ address, ...sent }, { db, caller, now, secrets, isAcceptable, fail }) {
    requireVerifiedEmail(caller, fail);
    const page = {
      id: secrets.newId(now),
      accountId: caller.account.id,
      address: address ?? secrets.newStatusAddress(),
      ...choiceOf(sent, isAcceptable, fail),
      createdAt: now,
      updatedAt: now,
    };
    const added = await db.write(addStatusPage, page);
    if (added === "full")
      return fail(
        "quota_exceeded",
        `An account can have at most ${mostStatusPages} status pages. Change one, or delete one.`,
      );
    if (added === "taken") return fail("invalid_state", takenWords);
    return toStatusPage(page);
  },
});
