import { instant, table, text } from "../engine/table.ts";

export const jobTable = table("job", {
  name: text,
  holder: text.nullable,
  leased_until: instant.nullable,
  last_started_at: instant.nullable,
  last_finished_at: instant.nullable,
});
