import type { SiteStep } from "../../core/server/status.ts";

/** Why the service takes no data of this server, and what its owner can do; null if it takes data. */
export const whyDeclined: Readonly<Record<SiteStep, string | null>> = {
  on: null,
  off: "monitoring of this server is switched off: switch it on in the server's settings in the dashboard",
  off_quota_reached:
    "monitoring of this server is off, and other servers use all that the plan covers: switch another server off, or change the plan",
  off_plan_required:
    "the plan does not include monitoring: change the plan, then switch it on in the server's settings",
  on_plan_lapsed: "the plan no longer includes monitoring: change the plan",
  on_over_quota:
    "more servers are monitored than the plan covers, and servers linked later use it: switch another server off, or change the plan",
};
