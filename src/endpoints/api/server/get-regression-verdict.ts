import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { judgeScheduledRuns } from "../../../services/auto-bench/scheduled-runs.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { RegressionVerdict } from "../../../core/server/regression/verdict.ts";
import { exampleRegression } from "./example-regression.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

export const getRegressionVerdict = defineEndpoint({
  id: "servers.regression",
  method: "GET",
  path: "/servers/{id}/regression",
  params: { id: "server_id" },
  access: { face: "api", scope: "servers:read" },
  summary: "Whether a verified server got slower, by its scheduled benchmarks of 90 days.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: RegressionVerdict,
  errors: ["not_found", "server_not_verified"],
  example: { input: { server_id: exampleServer.id }, output: exampleRegression },

  async handle({ server_id }, { db, caller, now, found, fail }) {
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    if (server.verifiedAt === null)
      fail(
        "server_not_verified",
        "There is a regression verdict only for a verified server. Start its plugin or agent: the first contact after the link verifies the server.",
      );
    return judgeScheduledRuns(db, server.id, now);
  },
});
