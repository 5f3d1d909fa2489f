import type { Server } from "./server.ts";

export const exampleServer: Server = {
  id: "019a9f5e-1d00-7000-8000-000000000010",
  name: "Lobby",
  owned_by_you: true,
  verified: true,
  verified_at: "2026-11-01T10:00:00.000Z",
  is_public: false,
  monitoring_enabled: true,
  show_address_on_report: false,
  notify_on_report: true,
  address: null,
  port: 25565,
  group_id: null,
  last_heartbeat: "2026-11-20T07:33:48.000Z",
  created_at: "2026-11-01T09:58:00.000Z",
};
