import { action } from "../../contract/endpoint/action.ts";
import { isStatusAddress } from "../../core/status-page/status-page.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { selectStatusAddress } from "../../store/status-page/status-pages.ts";

/** One indexed read, run for every request for a public page, so that a deleted page is gone at once. */
export const findStatusPage = action({
  id: "status_pages.find",
  who: "anyone",
  input: { address: plainText(200) },
  errors: ["not_found"],

  async run({ address }, { db, found }) {
    const { id, updatedAt } = found(
      isStatusAddress(address) ? await db.read(selectStatusAddress, address) : null,
    );
    return { id, version: updatedAt };
  },
});
