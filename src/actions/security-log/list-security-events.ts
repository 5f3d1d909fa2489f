import { action } from "../../contract/endpoint/action.ts";
import { selectSecurityLog } from "../../store/security-log/security-log.ts";
import { pageInput } from "../../contract/endpoint/page.ts";
import { timePosition, type Position } from "../../core/position.ts";
import type { SecurityRecord } from "../../core/security-log/event.ts";
import { toTimestamp } from "../../core/time.ts";

/** `times` counts equal events, of which `at` is the first; `address` is the client's. */
const toRow = ({ id, at, lastAt, times, kind, detail, address, account, token }: SecurityRecord) => ({
  id,
  at: toTimestamp(at),
  last_at: toTimestamp(lastAt),
  times,
  kind,
  detail,
  address,
  account,
  token,
});

const position = ({ at, id }: SecurityRecord): Position => [at, id];

/** Refused attempts on the account and changes to its security in the last 90 days, newest first. */
export const listSecurityEvents = action({
  id: "security.list",
  who: "person",
  input: pageInput,
  errors: [],

  async run({ limit }, { db, caller, after, page }) {
    const rows = await db.read(selectSecurityLog, caller.account.id, timePosition(after), limit + 1);
    return page(rows, limit, position, toRow);
  },
});

/** The same for every account, and for attempts without an account. */
export const listAllSecurityEvents = action({
  id: "security.list_all",
  who: "admin",
  input: pageInput,
  errors: [],

  async run({ limit }, { db, after, page }) {
    const rows = await db.read(selectSecurityLog, null, timePosition(after), limit + 1);
    return page(rows, limit, position, toRow);
  },
});
