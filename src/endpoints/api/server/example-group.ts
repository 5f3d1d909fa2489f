import type { ServerGroup } from "../../../core/server/server-group.ts";

export const exampleGroup: ServerGroup = {
  id: "019a9f5e-1d00-7000-8000-000000000020",
  name: "Survival",
  color: "green",
  sort_order: 0,
  server_count: 2,
  created_at: "2026-11-02T08:00:00.000Z",
  updated_at: "2026-11-02T08:00:00.000Z",
};
