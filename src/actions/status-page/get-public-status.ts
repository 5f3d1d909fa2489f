import { action } from "../../contract/endpoint/action.ts";
import { isStatusAddress } from "../../core/status-page/status-page.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { readPublicStatus } from "../../services/status-page/read-public-status.ts";
import { selectStatusAddress, selectStatusPage } from "../../store/status-page/status-pages.ts";

export const getPublicStatus = action({
  id: "status_pages.get_public",
  who: "anyone",
  input: { address: plainText(200) },
  errors: ["not_found"],

  async run({ address }, { db, plans, pastDays, now, found }) {
    const at = found(isStatusAddress(address) ? await db.read(selectStatusAddress, address) : null);
    const page = found(await db.read(selectStatusPage, at.id));
    return readPublicStatus(db, page, { plans, pastDays, now });
  },
});
