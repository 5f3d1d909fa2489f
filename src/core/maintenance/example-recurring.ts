import type { RecurringMaintenance } from "./recurring.ts";

/** The recurring maintenance that the examples of the documentation speak of. */
export const exampleRecurring: RecurringMaintenance = {
  id: "019a9f5e-1d00-7000-8000-000000000290",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  title: "Weekly backup",
  schedule_cron: "30 2 * * MON",
  time_zone: "Europe/Berlin",
  duration_minutes: 60,
  enabled: true,
  next_starts_at: "2026-11-23T01:30:00.000Z",
  created_at: "2026-11-20T08:00:00.000Z",
};
