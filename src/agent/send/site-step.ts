import type { SiteStep } from "../../core/server/status.ts";

/** Why the service takes nothing of this server, and what its owner can do; null where it takes everything. */
export const whyDeclined: Readonly<Record<SiteStep, string | null>> = {
  on: null,
  off: "monitoring of this server is switched off: switch it on in the server's settings in the dashboard",
  off_quota_reached:
    "monitoring of this server is off, and the plan's servers are all in use: switch another one off, or change the plan",
  off_plan_required:
    "the plan has no monitoring: change the plan, then switch it on in the server's settings",
  on_plan_lapsed: "the plan has no monitoring any more: change the plan",
  on_over_quota:
    "more servers are monitored than the plan includes, and the latest linked come first: switch another one off, or change the plan",
};
