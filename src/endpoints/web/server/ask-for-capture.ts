import { updateCollection } from "../../../store/server/collections.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { selectSender } from "../../../store/server/links.ts";
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
    "Request a profile or a class histogram from an own server's plugin or agent, with each heartbeat for ten minutes.",
  input: z.strictObject({ server_id: resourceIdInput(), what: Collectable }),
  output: CaptureState,
  errors: ["not_found"],
  idempotent: true,
  example: {
    input: { server_id: exampleCaptureState.server_id, what: "profile" },
    output: exampleCaptureState,
  },

  async handle({ server_id, what }, { db, caller, now, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const until = now + collectMs;
    await db.write(updateCollection, server.id, what, until);
    const collecting = { ...server.collecting, [what]: until };
    const sender = await db.read(selectSender, server.id);
    return toCaptureState({ ...server, collecting }, sender, caller, now);
  },
});
