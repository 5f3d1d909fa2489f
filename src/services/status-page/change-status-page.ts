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

/** Which page, of which account, and when. */
export interface StatusPageAct {
  readonly id: string;
  readonly accountId: string;
  readonly now: Instant;
}

/** Locks the page and answers its next version, which is later than any before it. */
function* nextVersion({ id, accountId, now }: StatusPageAct): Work<Instant> {
  yield* lockAccount(accountId);
  const version = yield* lockStatusPage(id, accountId);
  if (version === null) throw notFound();
  return Math.max(now, version + 1);
}

/** Writes what the owner chose. */
export function* changeStatusPage(act: StatusPageAct, choice: StatusPageChoice): Work<void> {
  const version = yield* nextVersion(act);
  for (const id of choice.servers.map(({ server_id }) => server_id).toSorted())
    yield* requireServerOf(act.accountId, id);
  yield* updateStatusPageRows(act.id, choice, version);
}

/**
 * Gives the page another address: the former one leads nowhere from now on. False where another page has it. The page
 * is written anew, because only an insertion waits for another one of the same address.
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
