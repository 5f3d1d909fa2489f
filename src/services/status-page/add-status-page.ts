import { mostStatusPages, type StatusPageRecord } from "../../core/status-page/status-page.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import { insertStatusPage, selectStatusPages } from "../../store/status-page/status-pages.ts";

/** `full`: the account has as many pages as it may; `taken`: another page has the address. */
export type AddedStatusPage = "added" | "full" | "taken";

/** Adds a status page of servers that the account has. */
export function* addStatusPage(page: StatusPageRecord): Work<AddedStatusPage> {
  yield* lockAccount(page.accountId);
  if ((yield* selectStatusPages(page.accountId)).length >= mostStatusPages) return "full";
  // In one order, so that two of these that lock the same servers do not wait for each other.
  for (const id of page.servers.map(({ server_id }) => server_id).toSorted())
    yield* requireServerOf(page.accountId, id);
  return (yield* insertStatusPage(page)) ? "added" : "taken";
}
