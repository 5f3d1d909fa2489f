import { mostStatusPages, type StatusPageRecord } from "../../core/status-page/status-page.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import { insertStatusPage, selectStatusPages } from "../../store/status-page/status-pages.ts";

/** `full`: the account has the maximum; `taken`: another page has the address. */
export type AddedStatusPage = "added" | "full" | "taken";

export function* addStatusPage(page: StatusPageRecord): Work<AddedStatusPage> {
  yield* lockAccount(page.accountId);
  if ((yield* selectStatusPages(page.accountId)).length >= mostStatusPages) return "full";
  // Locked in sorted order, so that concurrent calls cannot deadlock.
  for (const id of page.servers.map(({ server_id }) => server_id).toSorted())
    yield* requireServerOf(page.accountId, id);
  return (yield* insertStatusPage(page)) ? "added" : "taken";
}
