import { selectServers } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { accepting } from "../../../core/accepted-form.ts";
import { isFullId } from "../../../core/id-form.ts";
import { timePosition } from "../../../core/position.ts";
import { Server, toServer } from "../../../core/server/server.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

const Owner = accepting(
  z.string().refine((value) => value === "me" || isFullId(value)),
  "me, or an account id as GET /token gives it",
);

export const listServers = defineEndpoint({
  id: "servers.list",
  method: "GET",
  path: "/servers",
  params: {},
  access: { face: "api", scope: "servers:read" },
  summary: "Linked servers, newest first: the caller's own, and every one for an admin.",
  input: z.strictObject({ ...pageInput, verified: z.boolean().optional(), owner: Owner.optional() }),
  output: pageOf(Server),
  errors: [],
  example: {
    input: { verified: true },
    output: { data: [exampleServer], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, verified, owner }, { db, caller, after, page }) {
    const ownerId = owner === "me" ? caller.account.id : (owner ?? null);
    const filter = { verified: verified ?? null, ownerId };
    const rows = await db.read(selectServers, viewerOf(caller), filter, timePosition(after), limit + 1);
    return page(
      rows,
      limit,
      (row) => [row.createdAt, row.id],
      (row) => toServer(row, caller.account.id),
    );
  },
});
