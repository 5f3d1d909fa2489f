import type { Maintenance } from "../../../core/maintenance/server-maintenance.ts";

export const exampleMaintenance: Maintenance = {
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  in_progress: true,
  started_at: "2026-11-20T07:30:00.000Z",
  ends_at: "2026-11-20T08:30:00.000Z",
  remaining_seconds: 3360,
  reason: "Moving to a new disk",
  started_by: "api",
  upcoming: {
    starts_at: "2026-11-23T01:30:00.000Z",
    ends_at: "2026-11-23T02:30:00.000Z",
    reason: "Weekly backup",
  },
};
