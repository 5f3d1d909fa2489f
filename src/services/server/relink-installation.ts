import { restorableMs, type RelinkRequest, type RelinkResult } from "../../core/server/leaving.ts";
import { leaveAccount } from "./leave-account.ts";
import { linkInstallation, replay, spendCode } from "./use-link-code.ts";
import { dropUsedCodes, revokeCredentials } from "../../store/access/credentials.ts";
import { type Work, one, run, Undo } from "../../store/engine/database.ts";
import { queueNotice } from "../notice/queue-notice.ts";
import {
  byInstallation,
  holderOf,
  linkedServerById,
  lockCode,
  type CodeRow,
} from "../../store/server/links.ts";
import { lockAccount, lockServer } from "../../store/server/locks.ts";
import { toRecord } from "../../store/server/server-rows.ts";

type Relinked = Work<RelinkResult>;

/** Works for a linked installation too: renews the account's own server, or takes over another account's. */
export function* relink(request: RelinkRequest): Relinked {
  const { accountId, now } = request;
  const holder = (yield* one(holderOf, { code: request.code }))?.account_id ?? null;
  // Locks both accounts in sorted order, so that mutual take-overs cannot deadlock.
  for (const id of [...new Set([accountId, ...(holder === null ? [] : [holder])])].toSorted())
    yield* lockAccount(id);
  const code = yield* one(lockCode, { code: request.code });
  if (!code) return { kind: "unknown" };
  if (code.used_by !== null) {
    const same = yield* replay(code, accountId);
    return same.kind === "same" ? { kind: "relinked", server: same.server } : { kind: "unknown" };
  }
  if (code.expires_at <= now) return { kind: "unknown" };
  const known = yield* one(byInstallation, { installation: code.installation_id });
  if (request.serverId !== null && known?.id !== request.serverId) return { kind: "other_installation" };
  if (known?.account_id === accountId) return yield* renew(code, known.id, request);
  // The server moved just now to an account whose lock is not held.
  if (known && known.account_id !== null && known.account_id !== holder) return { kind: "unknown" };
  if (known && known.account_id !== null) yield* takeFrom(known.id, request);
  const linked = yield* linkInstallation(code, known, request);
  if (linked.kind === "linked") return { kind: "linked", server: linked.server };
  throw new Undo<RelinkResult>({ kind: "full" });
}

/** Same account: the server gets a new credential, and the old one is revoked. */
function* renew(code: CodeRow, serverId: string, { accountId, now }: RelinkRequest): Relinked {
  yield* run(dropUsedCodes, { server: serverId });
  yield* lockServer(serverId);
  yield* run(revokeCredentials, { server: serverId, now });
  yield* spendCode(code, accountId, serverId, now);
  const server = yield* one(linkedServerById, { id: serverId });
  return server ? { kind: "relinked", server: toRecord(server) } : { kind: "unknown" };
}

/** A code proves that its user can read the installation's console, so it may take the server over. */
function* takeFrom(serverId: string, { tell, now }: RelinkRequest): Work<void> {
  const server = yield* one(linkedServerById, { id: serverId });
  yield* leaveAccount({ serverId, keptUntil: now + restorableMs, silently: false, now });
  if (server) yield* queueNotice(tell(toRecord(server)));
}
