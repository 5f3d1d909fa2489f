import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { serverStatus, ServerStatus } from "../../../core/server/status.ts";
import { exampleSample } from "./example-sample.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

export const getServerStatus = defineEndpoint({
  id: "servers.status",
  method: "GET",
  path: "/servers/{id}/status",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "Whether a server of the caller runs, since when, and its last measurement.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: ServerStatus,
  errors: ["not_found"],
  example: {
    input: { server_id: exampleServer.id },
    output: {
      server_id: exampleServer.id,
      status: "online",
      state: "running",
      state_since: "2026-11-19T18:02:11.000Z",
      last_tick_age_ms: 38,
      monitoring: { enabled: true, site_step: "on", plugin_step: "receiving" },
      last_heartbeat: "2026-11-20T07:33:48.000Z",
      boot_timestamp: "2026-11-19T18:02:11.000Z",
      uptime_seconds: 48697,
      sampled_at: "2026-11-20T07:33:47.512Z",
      current: exampleSample,
    },
  },

  async handle({ server_id }, { db, caller, now, found }) {
    const { id } = caller.account;
    const how = { key: `status ${id}`, lock: server_id, maxAgeMs: null, now };
    const server = found(await db.readCached(how, selectMonitoredServer, server_id, id));
    return serverStatus(server, caller.limits, now);
  },
});
