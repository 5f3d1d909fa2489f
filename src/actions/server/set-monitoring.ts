import { action } from "../../contract/endpoint/action.ts";
import { switchMonitoring } from "../../services/monitoring/switch-monitoring.ts";
import { z } from "zod";
import { planIncludes } from "../../core/access/plan.ts";
import { resourceIdInput } from "../../core/id.ts";
import { ownServer, settingsOf } from "./server-settings.ts";

/** Switching off keeps the stored data and ends open alerts. */
export const setMonitoring = action({
  id: "servers.set_monitoring",
  who: "person",
  input: { server_id: resourceIdInput(), enabled: z.boolean() },
  errors: ["not_found", "plan_required", "limit_reached"],

  async run({ server_id, enabled }, context) {
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
