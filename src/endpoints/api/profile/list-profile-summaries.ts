import { selectProfiles } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { daysInput, readSpan } from "../../../core/listed-span.ts";
import { timePosition } from "../../../core/position.ts";
import { ProfileSummary } from "../../../core/profile/profile.ts";
import { profileTime, toProfileSummary } from "../../../core/profile/show.ts";
import { exampleProfileSummary } from "./example-profile.ts";

export const listProfileSummaries = defineEndpoint({
  id: "profiles.list",
  method: "GET",
  path: "/servers/{id}/profiles/summaries",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Profiles of an own server, newest first: the heaviest plugins, methods and kinds of work of each.",
  input: z.strictObject({ server_id: resourceIdInput(), ...daysInput, ...pageInput }),
  output: pageOf(ProfileSummary),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleProfileSummary.server_id, days: 30, limit: 10 },
    output: { data: [exampleProfileSummary], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id, days, limit }, { db, replica, caller, now, after, page, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const filter = { serverId: server.id, trigger: null, owner: null, ...readSpan({ days }, now) };
    const rows = await replica.read(
      selectProfiles,
      caller.account.id,
      filter,
      timePosition(after),
      limit + 1,
    );
    return page(rows, limit, (row) => [profileTime(row), row.id], toProfileSummary);
  },
});
