import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { examplePublicStatus, exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import { PublicStatus } from "../../../core/status-page/public-status.ts";
import { isStatusAddress } from "../../../core/status-page/status-page.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { readPublicStatus } from "../../../services/status-page/read-public-status.ts";
import { selectStatusAddress, selectStatusPage } from "../../../store/status-page/status-pages.ts";

export const getPublicStatus = defineEndpoint({
  id: "status_pages.get_public",
  method: "GET",
  path: "/status/{address}",
  params: { address: "address" },
  access: { face: "web", who: "anyone" },
  summary: "What everybody may read at the public address of a status page.",
  input: z.strictObject({ address: plainText(200) }),
  output: PublicStatus,
  errors: ["not_found"],
  example: { input: { address: exampleStatusPage.address }, output: examplePublicStatus },

  async handle({ address }, { db, plans, pastDays, now, found }) {
    const at = found(isStatusAddress(address) ? await db.read(selectStatusAddress, address) : null);
    const page = found(await db.read(selectStatusPage, at.id));
    return readPublicStatus(db, page, { plans, pastDays, now });
  },
});
