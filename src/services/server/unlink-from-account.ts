import { restorableMs } from "../../core/server/leaving.ts";
import type { Instant } from "../../core/time.ts";
import { leaveAccount, releaseInstallation, type Leaving } from "./leave-account.ts";
import type { Result, Step } from "../../store/engine/database.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";

type Done = Generator<Step, void, Result>;

/** Takes one of an account's servers out of it. */
function* unlinkFromAccount(accountId: string, leaving: Leaving): Done {
  yield* lockAccount(accountId);
  yield* requireServerOf(accountId, leaving.serverId);
  yield* leaveAccount(leaving);
}

/** Unlinks a server; its data stays for as long as its owner may bring it back. */
export function* unlinkServerOfAccount(serverId: string, accountId: string, now: Instant): Done {
  yield* unlinkFromAccount(accountId, { serverId, keptUntil: now + restorableMs, silently: false, now });
}

/** Unlinks a server and marks it for deletion; the sweep deletes it if this process does not. */
export function* unlinkForDeletion(accountId: string, serverId: string, now: number): Done {
  yield* unlinkFromAccount(accountId, { serverId, keptUntil: now, silently: true, now });
  yield* releaseInstallation(serverId);
}
