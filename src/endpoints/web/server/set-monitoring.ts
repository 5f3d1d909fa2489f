import { switchMonitoring } from "../../../services/monitoring/switch-monitoring.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { exampleSettings, ownServer, ServerSettings, settingsOf } from "./server-settings.ts";

export const setMonitoring = defineEndpoint({
  id: "servers.set_monitoring",
  method: "PUT",
  path: "/servers/{id}/monitoring",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary: "Switch a server's monitoring on or off; stored data stays, and open alerts end.",
  input: z.strictObject({ server_id: resourceIdInput(), enabled: z.boolean() }),
  output: ServerSettings,
  errors: ["not_found", "plan_required", "limit_reached"],
  example: { input: { server_id: exampleServer.id, enabled: true }, output: exampleSettings },

  async handle({ server_id, enabled }, context) {
    const { db, caller, now, fail } = context;
    const { account, limits } = caller;
    const server = await ownServer(server_id, context);
    if (enabled && !planIncludes(limits, "monitoring"))
      fail(
        "plan_required",
        `The account's plan (${account.plan}) does not include monitoring. Change to a larger plan.`,
      );
    const change = { serverId: server.id, accountId: account.id, enabled, limits, now };
    if ((await db.write(switchMonitoring, change)) === "full") {
      const most = limits.monitored_servers;
      fail(
        "limit_reached",
        `The plan monitors ${most} ${most === 1 ? "server" : "servers"}. Switch another one off first.`,
        { limit: most },
      );
    }
    return settingsOf(server.id, context);
  },
});
