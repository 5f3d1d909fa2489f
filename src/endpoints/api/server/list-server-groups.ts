import { selectGroups } from "../../../store/server/groups.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { ServerGroup, toServerGroup } from "../../../core/server/server-group.ts";
import { exampleGroup } from "./example-group.ts";

export const listServerGroups = defineEndpoint({
  id: "server_groups.list",
  method: "GET",
  path: "/server-groups",
  params: {},
  access: { face: "api", scope: "servers:read" },
  summary: "All server groups of the account, in their order.",
  input: z.strictObject({}),
  output: pageOf(ServerGroup),
  errors: [],
  example: { input: {}, output: { data: [exampleGroup], page: { cursor: null, has_more: false } } },

  async handle(_input, { db, caller }) {
    return completeList((await db.read(selectGroups, caller.account.id)).map(toServerGroup));
  },
});
