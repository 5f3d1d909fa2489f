import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { selectSender } from "../../../store/server/links.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { CaptureState, exampleCaptureState, toCaptureState } from "./capture-state.ts";

export const getCaptureState = defineEndpoint({
  id: "captures.get_state",
  method: "GET",
  path: "/servers/{id}/captures",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "How many profiles and memory reports of an own server the plan keeps, and what its plugin is requested to send.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: CaptureState,
  errors: ["not_found"],
  example: { input: { server_id: exampleCaptureState.server_id }, output: exampleCaptureState },

  async handle({ server_id }, { db, caller, now, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    return toCaptureState(server, await db.read(selectSender, server.id), caller, now);
  },
});
