import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { exampleSettings, ServerSettings, settingsOf } from "./server-settings.ts";

export const getServerSettings = defineEndpoint({
  id: "servers.get_settings",
  method: "GET",
  path: "/servers/{id}/settings",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary: "The settings of a server that its owner can change, its address included.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: ServerSettings,
  errors: ["not_found"],
  example: { input: { server_id: exampleServer.id }, output: exampleSettings },

  handle: ({ server_id }, context) => settingsOf(server_id, context),
});
