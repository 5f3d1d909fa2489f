import { restorableMs, type RelinkRequest, type RelinkResult } from "../../core/server/leaving.ts";
import { dropUsedCodes, revokeCredentials } from "../../store/access/credentials.ts";
import { one, run, Undo, type Result, type Step } from "../../store/engine/database.ts";
import {
  byInstallation,
  linkInstallation,
  lockCode,
  replay,
  spendCode,
  type CodeRow,
} from "./link-installation.ts";
import { lockAccount, lockServer } from "../../store/server/locks.ts";
import { queueNotice } from "../../store/notice/outbox.ts";
import { query } from "../../store/engine/query.ts";
import { linkedServers, toRecord } from "../../store/server/server-rows.ts";
import { leaveAccount } from "./leave-account.ts";

type Relinked = Generator<Step, RelinkResult, Result>;

const holderOf = query<{ code: string }>()((db, $) =>
  db
    .selectFrom("link_code as c")
    .innerJoin("server as s", "s.installation_id", "c.installation_id")
    .select("s.account_id")
    .where("c.code", "=", $.code),
);

const byId = query<{ id: string }>()((db, $) => linkedServers(db).where("s.id", "=", $.id));

/** Takes a code of an installation that is linked; one of an installation that is not links it as any code does. */
export function* relink(request: RelinkRequest): Relinked {
  const { accountId, now } = request;
  const holder = (yield* one(holderOf, { code: request.code }))?.account_id ?? null;
  // Both accounts, in one order, so that two that take from each other never wait in a circle.
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
  // It went to somebody else a moment ago: nobody holds that account.
  if (known && known.account_id !== null && known.account_id !== holder) return { kind: "unknown" };
  if (known && known.account_id !== null) yield* takeFrom(known.id, request);
  const linked = yield* linkInstallation(code, known, request);
  if (linked.kind === "linked") return { kind: "linked", server: linked.server };
  throw new Undo<RelinkResult>({ kind: "full" });
}

/** The same server under a new credential; the old one is worth nothing from here on. */
function* renew(code: CodeRow, serverId: string, { accountId, now }: RelinkRequest): Relinked {
  yield* run(dropUsedCodes, { server: serverId });
  yield* lockServer(serverId);
  yield* run(revokeCredentials, { server: serverId, now });
  yield* spendCode(code, accountId, serverId);
  const server = yield* one(byId, { id: serverId });
  return server ? { kind: "relinked", server: toRecord(server) } : { kind: "unknown" };
}

/** The server leaves whoever has it: whoever reads the console of an installation says whose it is. */
function* takeFrom(serverId: string, { tell, now }: RelinkRequest): Generator<Step, void, Result> {
  const server = yield* one(byId, { id: serverId });
  yield* leaveAccount({ serverId, keptUntil: now + restorableMs, silently: false, now });
  if (server) yield* queueNotice(tell(toRecord(server)));
}
