import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { runningSoftware, RunningSoftware } from "../../../core/software/running-software.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { selectKnownSoftware } from "../../../store/software/known-software.ts";
import { exampleSoftware } from "./example-software.ts";

export const getServerSoftware = defineEndpoint({
  id: "servers.software",
  method: "GET",
  path: "/servers/{id}/software",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "Software of an own server (Java, flags, plugins, settings), and when each last changed.",
  isAddition: true,
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: RunningSoftware,
  errors: ["not_found"],
  example: { input: { server_id: exampleSoftware.server_id }, output: exampleSoftware },

  async handle({ server_id }, { db, caller, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    return runningSoftware(await db.read(selectKnownSoftware, server.id));
  },
});
