import { selectProfile, selectProfileDocument } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { profileComparisonOf as compare } from "../../../core/profile/compare.ts";
import { ProfileComparison } from "../../../core/profile/profile-comparison.ts";
import { exampleProfileComparison, exampleProfileSummary } from "./example-profile.ts";

export const compareProfiles = defineEndpoint({
  id: "profiles.compare",
  method: "GET",
  path: "/servers/{id}/profiles/compare",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "Two profiles of a server, the older one as the base: which shares changed beyond their noise.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    base: resourceIdInput(),
    target: resourceIdInput(),
  }),
  output: ProfileComparison,
  errors: ["not_found"],
  example: {
    input: {
      server_id: exampleProfileSummary.server_id,
      base: exampleProfileComparison.base.summary_id,
      target: exampleProfileComparison.target.summary_id,
    },
    output: exampleProfileComparison,
  },

  async handle({ server_id, base, target }, { db, caller, found, readDocuments }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)), { field: "server_id" });
    const find = async (id: string, field: string) => {
      const record = found(await db.read(selectProfile, server.id, id), { field });
      const { profileId } = record;
      return {
        record,
        document: profileId === null ? null : await db.read(selectProfileDocument, profileId),
      };
    };
    const [one, other] = [await find(base, "base"), await find(target, "target")];
    if (one.document !== null && other.document !== null)
      return readDocuments("compareProfiles", [one, other]);
    // Without both documents the summaries are compared; they are short enough for the main thread.
    return compare({ record: one.record, document: null }, { record: other.record, document: null });
  },
});
