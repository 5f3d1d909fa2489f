const unchanged = { stopped_seconds: 0, maintenance_seconds: 0, unmonitored_seconds: 0 };

/** Two servers over a week, one of which was down for 21 minutes. */
export const exampleAvailability = {
  period: { from: "2026-11-13T07:34:00.000Z", to: "2026-11-20T07:34:00.000Z" },
  totals: { servers: 2, measured: 2, percent: 99.89, down_seconds: 1260, incidents: 1 },
  data: [
    {
      server_id: "019a9f5e-1d00-7000-8000-000000000011",
      name: "Survival",
      percent: 99.79,
      up_seconds: 603_540,
      down_seconds: 1260,
      ...unchanged,
      incidents: 1,
    },
    {
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      name: "Lobby",
      percent: 100,
      up_seconds: 604_800,
      down_seconds: 0,
      ...unchanged,
      incidents: 0,
    },
  ],
  page: { cursor: null, has_more: false },
};
