import type { ServerEvent } from "../../../core/event/server-event.ts";

export const exampleEvent: ServerEvent = {
  id: "019a9f5e-1d00-7000-8000-000000000060",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  type: "tempban",
  category: "moderation",
  source: "LiteBans",
  severity: "warning",
  title: "Griefer42 was banned for 7 days",
  description: "Destroyed the spawn village.",
  metadata: { player: "Griefer42", by: "Console", days: 7 },
  timestamp: "2026-11-20T06:58:12.000Z",
  duration_ms: null,
};
