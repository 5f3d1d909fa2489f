import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id } from "../../../core/id.ts";
import { exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import { isStatusAddress } from "../../../core/status-page/status-page.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { selectStatusAddress } from "../../../store/status-page/status-pages.ts";

/** One indexed read: it is made for every request for a public page, so that a withdrawn page is gone at once. */
export const findStatusPage = defineEndpoint({
  id: "status_pages.find",
  method: "GET",
  path: "/status/{address}/version",
  params: { address: "address" },
  access: { face: "web", who: "anyone" },
  summary: "The id and the version of the status page at a public address.",
  input: z.strictObject({ address: plainText(200) }),
  output: z.object({ id: Id, version: z.int() }),
  errors: ["not_found"],
  example: {
    input: { address: exampleStatusPage.address },
    output: { id: exampleStatusPage.id, version: 1 },
  },

  async handle({ address }, { db, found }) {
    const { id, updatedAt } = found(
      isStatusAddress(address) ? await db.read(selectStatusAddress, address) : null,
    );
    return { id, version: updatedAt };
  },
});
