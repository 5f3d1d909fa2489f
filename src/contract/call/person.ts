import { insertSession, selectPresentedSession, updateSessionUsed } from "../../store/access/sessions.ts";
import {
  sessionIdleMs,
  sessionLongestMs,
  sessionUseGrainMs,
  type Session,
} from "../../core/access/session.ts";
import type { Account } from "../../core/access/account.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { SessionCaller } from "./caller.ts";
import type { PersonCalling } from "./call-as-person.ts";
import type { AppContext } from "./app-context.ts";

const longestUserAgent = 200;

/** Anonymous if the session is unknown or the account suspended. */
export async function personOf(
  app: AppContext,
  secret: string | null,
  address: string,
  now: Instant,
): Promise<PersonCalling> {
  const nobody: PersonCalling = { kind: "anonymous", address };
  if (secret === null) return nobody;
  const found = await app.db.read(selectPresentedSession, app.secrets.digest(secret), now);
  if (!found || found.account.role === "suspended") return nobody;
  const { session, account } = found;
  if (now - session.lastUsedAt >= sessionUseGrainMs) {
    const expiresAt = Math.min(now + sessionIdleMs, session.createdAt + sessionLongestMs);
    await app.db.writeRelaxed(updateSessionUsed, session.id, now, expiresAt).catch((error: unknown) => {
      if (!(error instanceof Unavailable && error.canRead)) throw error;
    });
  }
  return { kind: "session", address, account, session, limits: app.plans[account.plan] };
}

/** Not stored yet. Of the secret, only the digest will be stored. */
export function newSession(
  { secrets }: Pick<AppContext, "secrets">,
  account: Account,
  userAgent: string | null,
  now: Instant,
): { secret: string; session: Session } {
  const session: Session = {
    id: secrets.newId(now),
    accountId: account.id,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + sessionIdleMs,
    provenAt: now,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
  };
  return { secret: secrets.newNonce(), session };
}

export async function startSession(
  context: Pick<AppContext, "db" | "secrets">,
  account: Account,
  userAgent: string | null,
  now: Instant,
): Promise<{ secret: string; session: Session }> {
  const { secret, session } = newSession(context, account, userAgent, now);
  await context.db.write(insertSession, session, context.secrets.digest(secret));
  return { secret, session };
}

export const isSignedIn = (person: PersonCalling): person is SessionCaller => person.kind === "session";
