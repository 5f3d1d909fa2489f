import { unlinkServerOfAccount } from "../../../services/server/unlink-from-account.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { restorableMs } from "../../../core/server/leaving.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { ownServer } from "./server-settings.ts";

export const unlinkServer = defineEndpoint({
  id: "servers.unlink",
  method: "POST",
  path: "/servers/{id}/unlink",
  params: { id: "server_id" },
  access: { face: "web", who: "person", freshProof: true },
  summary: "Unlink a server from the account; a new link within 30 days brings it and its data back.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: z.object({ kept_until: Timestamp }),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleServer.id },
    output: { kept_until: "2026-12-20T07:34:00.000Z" },
  },

  async handle({ server_id }, context) {
    const { db, caller, now } = context;
    const server = await ownServer(server_id, context);
    await db.write(unlinkServerOfAccount, server.id, caller.account.id, now);
    return { kept_until: toTimestamp(now + restorableMs) };
  },
});
