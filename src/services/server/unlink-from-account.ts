import { restorableMs } from "../../core/server/leaving.ts";
import type { Instant } from "../../core/time.ts";
import { leaveAccount, releaseInstallation, type Leaving } from "./leave-account.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";

type Done = Work<void>;

function* unlinkFromAccount(accountId: string, leaving: Leaving): Done {
  yield* lockAccount(accountId);
  yield* requireServerOf(accountId, leaving.serverId);
  yield* leaveAccount(leaving);
}

/** The data stays as long as the owner may relink the server. */
export function* unlinkServerOfAccount(serverId: string, accountId: string, now: Instant): Done {
  yield* unlinkFromAccount(accountId, { serverId, keptUntil: now + restorableMs, silently: false, now });
}

/** Marks the server for deletion; the sweep deletes it if this process does not. */
export function* unlinkForDeletion(accountId: string, serverId: string, now: number): Done {
  yield* unlinkFromAccount(accountId, { serverId, keptUntil: now, silently: true, now });
  yield* releaseInstallation(serverId);
}
