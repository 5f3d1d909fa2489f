import { selectPresentedAccess } from "../../store/access/connectors.ts";
import { selectPresentedToken, updateTokenUsed } from "../../store/access/tokens.ts";
import { selectPresentedRunner, updateRunnerUsed } from "../../store/auto-bench/runners.ts";
import { serverOfCredential } from "../../services/server/server-of-credential.ts";
import { updateServerRejected } from "../../store/server/servers.ts";
import type { ApiToken, PresentedToken } from "../../core/access/account.ts";
import { effectiveScopes } from "../../core/access/scope.ts";
import { secretKind, secretPrefixes } from "../../core/access/secret.ts";
import { Refusal, revokedCredential, Unavailable, type ErrorCode } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { AnonymousCaller, RunnerCaller, ServerCaller, TokenCaller } from "./caller.ts";
import type { AppContext, Credentials } from "./app-context.ts";
import { guessingMessage, noteRefusedSecret } from "../limits/credential-throttle.ts";

/** The last use is written at most once in this time, ms: only people read it. */
const lastUseGrainMs = 60_000;

/** Changes by other processes to a token or its account take effect here after this time at most, ms. */
const tokenAgeMs = 1000;

const bearer = /^bearer +([\x21-\x7e]{1,512}) *$/i;

/** Refuses a bad credential instead of treating it as anonymous. `known` gets refused tokens too. */
export async function authenticateApi(
  app: AppContext,
  credentials: Credentials,
  now: Instant,
  known: (token: ApiToken) => void = () => {},
): Promise<AnonymousCaller | TokenCaller> {
  if (credentials.authorization === null) return { kind: "anonymous", address: credentials.address };
  const secret = bearerSecret(credentials);
  const found =
    secret !== null && secretKind(secret) === "api"
      ? await presentedToken(app, credentials, app.secrets.digest(secret), now)
      : null;
  if (!found) return refuseCredential(app, credentials, now, unknownToken());
  known(found.token);
  credentials.onToken?.(found.token.id);
  const refusal = refusalOf(found, now);
  if (refusal) return refuseCredential(app, credentials, now, refusal, { token: found.token });
  const { token, account, newerActive, client } = found;
  const isUse = credentials.unnoticed !== true;
  if (isUse && (token.lastUsedAt === null || now - token.lastUsedAt >= lastUseGrainMs)) {
    await app.db.writeRelaxed(updateTokenUsed, token.id, now).catch(unlessUnavailable);
    app.db.endCached(null);
  }
  const limits = app.plans[account.plan];
  const scopes = effectiveScopes(token.scopes, account.role);
  return { kind: "token", account, token, client, scopes, limits, covered: newerActive < limits.tokens };
}

/** Access tokens are issued for the connector, so they are unknown elsewhere. */
const presentedToken = async (
  { db }: AppContext,
  { atConnector }: Credentials,
  digest: string,
  now: Instant,
): Promise<PresentedToken | null> =>
  (await db.readCached(
    { key: `token ${digest}`, maxAgeMs: tokenAgeMs, now },
    selectPresentedToken,
    digest,
    now,
  )) ??
  (atConnector
    ? await db.readCached(
        { key: `access ${digest}`, maxAgeMs: tokenAgeMs, now },
        selectPresentedAccess,
        digest,
        now,
      )
    : null);

/** If the database can only be read, the last use is skipped; writes of the call itself are refused later. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable && error.canRead)) throw error;
}

/** Checked on every call: after a plan lapses, only the newest tokens work. */
export function requireCovered({ covered, limits }: TokenCaller): void {
  if (covered) return;
  const message = `The plan covers only the newest ${limits.tokens} active tokens, and this token is older. Revoke a newer token or change the plan.`;
  throw new Refusal("token_quota_exceeded", message);
}

export async function authenticateServer(
  app: AppContext,
  credentials: Credentials,
  now: Instant,
): Promise<ServerCaller> {
  if (credentials.authorization === null) {
    throw new Refusal(
      "unauthorized",
      "This route is for a linked game server. Send its credential as a bearer token.",
    );
  }
  const secret = bearerSecret(credentials);
  const found =
    secret !== null && secretKind(secret) === "server"
      ? await serverOfCredential(app.db, app.secrets.digest(secret), now)
      : null;
  if (!found) return refuseCredential(app, credentials, now, unknownToken());
  if (found.kind === "revoked") {
    const { serverId } = found;
    // Attempts beyond the guessing limit are not noted for the owner.
    const note = async (): Promise<void> => {
      if (serverId !== null) await noteRejected(app.db, serverId, now);
    };
    return refuseCredential(app, credentials, now, revokedCredential(), { note });
  }
  return { kind: "server", server: found.server, limits: app.plans[found.server.ownerPlan] };
}

/** Marks the server as rejected, which its owner sees. */
export async function noteRejected(db: Database, serverId: string, now: Instant): Promise<void> {
  await db.writeRelaxed(updateServerRejected, serverId, now);
  db.endCached(serverId);
}

export async function authenticateRunner(
  app: AppContext,
  credentials: Credentials,
  now: Instant,
): Promise<RunnerCaller> {
  if (credentials.authorization === null)
    throw new Refusal("unauthorized", "This route is for a runner. Send its key as a bearer token.");
  const secret = bearerSecret(credentials);
  const runner =
    secret !== null && secretKind(secret) === "runner"
      ? await app.db.read(selectPresentedRunner, app.secrets.digest(secret))
      : null;
  if (!runner) return refuseCredential(app, credentials, now, unknownToken());
  if (runner.revokedAt !== null) {
    const message = "This runner's key was revoked. Ask the operator for a new one.";
    return refuseCredential(app, credentials, now, new Refusal("token_revoked", message));
  }
  if (runner.lastUsedAt === null || now - runner.lastUsedAt >= lastUseGrainMs)
    await app.db.writeRelaxed(updateRunnerUsed, runner.id, now);
  return { kind: "runner", runner };
}

const bearerSecret = ({ authorization }: Credentials): string | null =>
  bearer.exec(authorization ?? "")?.[1] ?? null;

/** Whether the credential starts like an API token; it may still be invalid. */
export function isApiCredential(credentials: Credentials): boolean {
  return bearerSecret(credentials)?.startsWith(`${secretPrefixes.api}_`) ?? false;
}

const unknownToken = (): Refusal =>
  new Refusal(
    "invalid_token",
    "This credential is not known here. Check that it was copied completely, or make a new one.",
  );

function refusalOf({ token, client, accessEndsAt }: PresentedToken, now: Instant): Refusal | null {
  if (token.revokedAt !== null) {
    const again =
      client === null ? "Make a new one in Settings, Security." : "Connect again to get a new one.";
    return new Refusal("token_revoked", `This token was revoked. ${again}`);
  }
  if (accessEndsAt !== null && accessEndsAt <= now)
    return new Refusal("token_expired", "This access token has expired. Refresh it, or connect again.");
  if (token.expiresAt <= now)
    return new Refusal("token_expired", "This token has expired. Make a new one in Settings, Security.");
  return null;
}

interface RefusedCredential {
  readonly token?: ApiToken;
  readonly note?: () => Promise<void>;
}

const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_token: "unknown",
  token_revoked: "revoked",
  token_expired: "expired",
};

async function refuseCredential(
  app: AppContext,
  { address }: Credentials,
  now: Instant,
  refusal: Refusal,
  { token, note }: RefusedCredential = {},
): Promise<never> {
  const { code } = refusal;
  const whose = { accountId: token?.accountId ?? null, tokenId: token?.id ?? null };
  app.security.note({ kind: "credential_refused", address, ...whose, detail: reasons[code] ?? code }, now);
  const wait = await noteRefusedSecret(app.db, address, now);
  if (wait !== null) throw new Refusal("rate_limited", guessingMessage, {}, wait);
  await note?.();
  throw refusal;
}
