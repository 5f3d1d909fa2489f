import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Collectable, collectMs } from "../../../core/server/collection.ts";
import { CaptureState, exampleCaptureState, toCaptureState } from "./capture-state.ts";

export const askForCapture = defineEndpoint({
  id: "captures.ask",
  method: "POST",
  path: "/servers/{id}/captures",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "Ask an own server's plugin or agent for a profile or a class histogram: with each heartbeat of ten minutes.",
  input: z.strictObject({ server_id: resourceIdInput(), what: Collectable }),
  output: CaptureState,
  errors: ["not_found"],
  idempotent: true,
  example: {
    input: { server_id: exampleCaptureState.server_id, what: "profile" },
    output: exampleCaptureState,
  },

  async handle({ server_id, what }, { stores, caller, now, found }) {
    const server = found(await stores.servers.findMonitored(server_id, caller.account.id));
    const until = now + collectMs;
    await stores.collections.ask(server.id, what, until);
    const collecting = { ...server.collecting, [what]: until };
    const sender = await stores.links.senderOf(server.id);
    return toCaptureState({ ...server, collecting }, sender, caller, now);
  },
});
