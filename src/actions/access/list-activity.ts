import { action } from "../../contract/endpoint/action.ts";
import { selectActivity } from "../../store/access/activity.ts";
import { pageInput } from "../../contract/endpoint/page.ts";
import type { ActivityRecord } from "../../core/access/activity.ts";
import { IdFilter } from "../../core/id.ts";
import { timePosition } from "../../core/position.ts";
import { toTimestamp } from "../../core/time.ts";

/** `times` counts equal calls within a moment; `at` is the last of them. */
const toRow = ({ id, at, token, call, status, error, times }: ActivityRecord) => ({
  id,
  at: toTimestamp(at),
  token,
  call,
  status,
  error,
  times,
});

/** Calls of the account's tokens in the last 30 days, newest first. */
export const listActivity = action({
  id: "activity.list",
  who: "person",
  input: { ...pageInput, token_id: IdFilter.optional() },
  errors: [],

  async run({ limit, token_id }, { db, caller, after, page }) {
    const rows = await db.read(
      selectActivity,
      caller.account.id,
      token_id ?? null,
      timePosition(after),
      limit + 1,
    );
    return page(rows, limit, ({ at, id }) => [at, id], toRow);
  },
});
