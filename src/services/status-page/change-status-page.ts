import { notFound } from "../../core/errors.ts";
import type { StatusPageChoice } from "../../core/status-page/status-page.ts";
import type { Instant } from "../../core/time.ts";
import { Undo, type Work } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import {
  deleteStatusPageRows,
  insertStatusPage,
  lockStatusPage,
  selectStatusPage,
  updateStatusPageRows,
} from "../../store/status-page/status-pages.ts";

export interface StatusPageAct {
  readonly id: string;
  readonly accountId: string;
  readonly now: Instant;
}

/** Locks the page; returns a version later than any before. Throws notFound if it is not the account's. */
function* nextVersion({ id, accountId, now }: StatusPageAct): Work<Instant> {
  yield* lockAccount(accountId);
  const version = yield* lockStatusPage(id, accountId);
  if (version === null) throw notFound();
  return Math.max(now, version + 1);
}

export function* changeStatusPage(act: StatusPageAct, choice: StatusPageChoice): Work<void> {
  const version = yield* nextVersion(act);
  for (const id of choice.servers.map(({ server_id }) => server_id).toSorted())
    yield* requireServerOf(act.accountId, id);
  yield* updateStatusPageRows(act.id, choice, version);
}

/**
 * The old address stops working. False if another page has the new one. The page is inserted anew, because
 * only an INSERT waits for a concurrent one with the same address.
 */
export function* readdressStatusPage(act: StatusPageAct, address: string): Work<boolean> {
  const updatedAt = yield* nextVersion(act);
  const page = yield* selectStatusPage(act.id);
  if (page === null) throw notFound();
  yield* deleteStatusPageRows(act.id);
  if (!(yield* insertStatusPage({ ...page, address, updatedAt }))) throw new Undo(false);
  return true;
}

export function* removeStatusPage(act: StatusPageAct): Work<void> {
  yield* nextVersion(act);
  yield* deleteStatusPageRows(act.id);
}
