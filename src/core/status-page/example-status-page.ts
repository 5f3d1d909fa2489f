import type { PublicStatus } from "./public-status.ts";
import type { StatusPage } from "./status-page.ts";

/** A status page with one server. */
export const exampleStatusPage: StatusPage = {
  id: "019a9f5e-1d00-7000-8000-000000000060",
  address: "blocks-and-more",
  title: "Blocks and more",
  shows_players: true,
  servers: [{ server_id: "019a9f5e-1d00-7000-8000-000000000010", name: "Survival" }],
  created_at: "2026-11-19T07:34:00.000Z",
  updated_at: "2026-11-20T07:34:00.000Z",
};

/** What everybody sees of it. */
export const examplePublicStatus: PublicStatus = {
  title: "Blocks and more",
  generated_at: "2026-11-20T07:34:00.000Z",
  first_day: "2026-11-19",
  servers: [
    {
      name: "Survival",
      state: "online",
      players: 12,
      percent: 99.58,
      days: [
        { kind: "full", down_seconds: 0 },
        { kind: "partial", down_seconds: 480 },
      ],
      incidents: [{ trouble: "slow", from: "2026-11-20T05:10:00.000Z", to: "2026-11-20T05:40:00.000Z" }],
      more_incidents: 0,
      maintenance: [{ from: "2026-11-19T02:00:00.000Z", to: "2026-11-19T02:30:00.000Z", in_progress: false }],
    },
  ],
};
