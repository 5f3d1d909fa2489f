import { changeServer } from "../../../services/server/change-server.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { accepting } from "../../../core/accepted-form.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { callerName } from "../../../core/text/third-party-text.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { exampleSettings, ownServer, ServerSettings, settingsOf } from "./server-settings.ts";

const Port = accepting(z.int().min(1).max(65_535), "a port from 1 to 65535");

export const setAddress = defineEndpoint({
  id: "servers.set_address",
  method: "PUT",
  path: "/servers/{id}/address",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "Set the address where a server is reached; others see it only on the server's reports, and only if that is switched on.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    address: callerName(255).nullable(),
    port: Port.nullable(),
  }),
  output: ServerSettings,
  errors: ["not_found"],
  example: {
    input: { server_id: exampleServer.id, address: "play.example.org", port: 25_565 },
    output: exampleSettings,
  },

  async handle({ server_id, address, port }, context) {
    const server = await ownServer(server_id, context);
    await context.db.write(changeServer, server.id, { address, port });
    return settingsOf(server.id, context);
  },
});
