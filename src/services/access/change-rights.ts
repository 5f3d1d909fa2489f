import type { Scope } from "../../core/access/scope.ts";
import type { Instant } from "../../core/time.ts";
import { findActiveToken, updateRights } from "../../store/access/tokens.ts";
import { liveTokensOfGrant, saveTokenPayload } from "../../store/access/oauth-records.ts";
import { scopesOf } from "../../store/access/tables.ts";
import { all, one, run, type Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";

interface ChangedRights {
  readonly accountId: string;
  /** A token, or a connector's grant. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly now: Instant;
}

/** The account must be locked. False if the account has no such active token or grant. */
export function* setRights({ accountId, id, scopes, now }: ChangedRights): Work<boolean> {
  const found = yield* one(findActiveToken, { account: accountId, id, now });
  if (found === null) return false;
  const before = scopesOf(found.scopes);
  yield* run(updateRights, { id, scopes: scopes.join(" ") });
  for (const { kind, digest, payload } of yield* all(liveTokensOfGrant, { id, now })) {
    const parsed = JSON.parse(payload) as { scope?: string };
    const own = scopesOf(parsed.scope ?? "");
    // A program that asked for fewer rights with this token gets no more by it.
    const isWhole = before.every((scope) => own.includes(scope));
    const scope = scopes.filter((each) => isWhole || own.includes(each)).join(" ");
    yield* run(saveTokenPayload, { kind, digest, payload: JSON.stringify({ ...parsed, scope }) });
  }
  return true;
}

/** Sets what a token or a connection may do, from its next call on. False if there is no such active one. */
export function* changeRights(changed: ChangedRights): Work<boolean> {
  yield* lockAccount(changed.accountId);
  return yield* setRights(changed);
}
