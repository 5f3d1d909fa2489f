import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import { StatusPage, toStatusPage } from "../../../core/status-page/status-page.ts";
import { selectStatusPages } from "../../../store/status-page/status-pages.ts";

export const listStatusPages = defineEndpoint({
  id: "status_pages.list",
  method: "GET",
  path: "/status-pages",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The public status pages of the account, oldest first.",
  input: z.strictObject({}),
  output: z.object({ data: z.array(StatusPage) }),
  errors: [],
  example: { input: {}, output: { data: [exampleStatusPage] } },

  async handle(_, { db, caller }) {
    return { data: (await db.read(selectStatusPages, caller.account.id)).map(toStatusPage) };
  },
});
