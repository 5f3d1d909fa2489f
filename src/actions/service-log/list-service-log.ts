import { action } from "../../contract/endpoint/action.ts";
import { selectServiceLog } from "../../store/service-log/service-log.ts";
import { pageInput } from "../../contract/endpoint/page.ts";
import { timePosition } from "../../core/position.ts";
import type { ServiceLogEntry } from "../../core/service-log/entry.ts";
import { toTimestamp } from "../../core/time.ts";

/** `times` counts equal events, of which `at` is the first. */
const toRow = ({ id, at, lastAt, times, kind, words, by, about }: ServiceLogEntry) => ({
  id,
  at: toTimestamp(at),
  last_at: toTimestamp(lastAt),
  times,
  kind,
  words,
  by,
  about,
});

/** Events of the service and acts of admins and the command line in the last 90 days, newest first. */
export const listServiceLog = action({
  id: "service.list_log",
  who: "admin",
  input: pageInput,
  errors: [],

  async run({ limit }, { db, after, page }) {
    const rows = await db.read(selectServiceLog, timePosition(after), limit + 1);
    return page(rows, limit, ({ at, id }) => [at, id], toRow);
  },
});
