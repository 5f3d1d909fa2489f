import { answerOAuthRecord } from "../services/access/answer-oauth-record.ts";
import { selectGrantsOfClient, countActiveConnectors } from "../store/access/connectors.ts";
import { countPasskeys } from "../store/access/passkeys.ts";
import { selectSecondFactor } from "../store/access/second-factors.ts";
import { grantConsent } from "../services/access/grant-consent.ts";
import type { Provider } from "oidc-provider";
import type { SessionCaller } from "../contract/call/caller.ts";
import type { Allowed, ConsentRequest, Consents } from "../contract/call/consents.ts";
import { confirmFactor } from "../contract/call/confirm-factor.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { ApiToken } from "../core/access/account.ts";
import { factorStepMs } from "../core/access/second-factor.ts";
import { connectorLifetimesMs } from "../core/access/connector.ts";
import { scopesOfRole, type Scope } from "../core/access/scope.ts";
import { Refusal } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";
import { consentCookieOf } from "./cookies.ts";
import { paths } from "./paths.ts";
import {
  answeredBy,
  isWeb,
  resumePath,
  placeOf,
  requestFinder,
  withScopes,
  type Waiting,
} from "./requests.ts";

export function consentsOf(app: AppContext, provider: () => Promise<Provider>): Consents {
  const find = requestFinder(app, provider);
  return {
    cookieOf: consentCookieOf,
    find: async (id, cookie, person) => {
      const { waiting, answered } = await find(id, cookie, person);
      return waiting ? { waiting: await shown(app, waiting, person), answered } : { waiting, answered };
    },
    allow: async (id, cookie, person, allowed) => {
      const { waiting } = await find(id, cookie, person);
      if (!waiting) return pageOf(id);
      const scopes = scopesOfRole(person.account.role).filter((scope) => allowed.scopes.includes(scope));
      if (scopes.length === 0 || scopes.length !== new Set(allowed.scopes).size)
        throw new Refusal("validation_error", "Tick at least one of the rights.");
      if (signedInBefore(person, app.clock())) await confirm(app, person, allowed.secondFactor);
      const isFirst = await grant(app, person, waiting, { ...allowed, scopes });
      return isFirst ? nextOf(id, waiting) : pageOf(id);
    },
    deny: async (id, cookie, person) => {
      const { waiting } = await find(id, cookie, person);
      if (!waiting) return pageOf(id);
      const result = { error: "access_denied", error_description: "The person declined the request." };
      const answer = answeredBy(waiting, person.account.id, result, app.clock());
      if (!(await app.db.write(answerOAuthRecord, answer))) return pageOf(id);
      noteConsent(app, "consent_denied", person, null);
      return nextOf(id, waiting);
    },
  };
}

/** The page of a request shows its answer, or leads on. */
const pageOf = (id: string): string => `${paths.consent}/${id}`;

/** A redirect that is no web address may leave the page open, so it has to show the answer. */
const nextOf = (id: string, { redirect }: Waiting): string => (isWeb(redirect) ? resumePath(id) : pageOf(id));

/** Whether the sign-in is too old to prove who is at the browser. */
const signedInBefore = ({ session }: SessionCaller, now: Instant): boolean =>
  now - session.createdAt > factorStepMs;

const confirm = (
  { db, clock, secrets, accountPolicy: people, security }: AppContext,
  caller: SessionCaller,
  typed: string,
): Promise<void> =>
  confirmFactor(
    caller.account,
    typed,
    { kind: "session_factor", key: caller.account.id },
    {
      db,
      caller,
      now: clock(),
      secrets,
      people,
      security,
      fail: (...refused) => {
        throw new Refusal(...refused);
      },
    },
  );

function noteConsent(
  { security, clock }: AppContext,
  kind: "consent_given" | "consent_denied" | "rights_changed" | "token_revoked",
  { account, address }: SessionCaller,
  tokenId: string | null,
): void {
  security.note({ kind, accountId: account.id, address, tokenId, detail: null }, clock());
}

async function shown(
  { db, clock }: AppContext,
  { client, isKnownByHost, redirect, scopes }: Waiting,
  person: SessionCaller,
): Promise<ConsentRequest> {
  const now = clock();
  const { account, limits } = person;
  const activeTokens = await db.read(countActiveConnectors, account.id, now);
  // After a lapse more tokens are active than the plan covers, so that replacing one makes no room.
  const held = await db.read(selectGrantsOfClient, account.id, client.id, now);
  const replaceable = activeTokens === limits.tokens ? held : [];
  const widenable = held.filter((grant) => !scopes.every((scope) => grant.scopes.includes(scope)));
  const grantable = scopesOfRole(account.role);
  const needsFactor = signedInBefore(person, now) ? await factorOf(account.id, db) : null;
  return {
    client,
    isKnownByHost,
    ...placeOf(redirect),
    scopes,
    grantable,
    widenable,
    activeTokens,
    replaceable,
    needsFactor,
  };
}

/** Null if the account has none. */
async function factorOf(accountId: string, db: AppContext["db"]): Promise<ConsentRequest["needsFactor"]> {
  const codes = (await db.read(selectSecondFactor, accountId)) !== null;
  const passkeys = (await db.read(countPasskeys, accountId)) > 0;
  return codes || passkeys ? { codes, passkeys } : null;
}

/** False if the request was answered in the meantime. */
async function grant(
  app: AppContext,
  person: SessionCaller,
  waiting: Waiting,
  { scopes, replaces, widens }: Allowed & { readonly scopes: readonly Scope[] },
): Promise<boolean> {
  const { clock, secrets, db } = app;
  const { account, limits } = person;
  const now = clock();
  const token: ApiToken = {
    id: secrets.newId(now),
    accountId: account.id,
    name: waiting.client.name,
    kind: "connector",
    scopes,
    createdAt: now,
    // Until the code is redeemed, the grant holds its place for a moment only; its tokens extend it.
    expiresAt: now + connectorLifetimesMs.unredeemed,
    revokedAt: null,
    lastUsedAt: null,
  };
  const grantId = widens ?? token.id;
  const result = { login: { accountId: account.id, remember: false }, consent: { grantId } };
  const outcome = await db.write(grantConsent, {
    token,
    client: waiting.client,
    digest: secrets.digest(secrets.newSecret("api")),
    limit: limits.tokens,
    request: answeredBy(withScopes(waiting, scopes), account.id, result, now),
    replaces,
    widens,
  });
  if (outcome === "gone")
    throw new Refusal("validation_error", "That connection has ended meanwhile. Reload this page.");
  if (outcome === "limit") {
    const words = `The plan (${account.plan}) covers ${limits.tokens} active tokens, and all are in use. Revoke one in Settings, Security, or change the plan.`;
    throw new Refusal("limit_reached", words, { limit: limits.tokens });
  }
  if (outcome !== "given") return false;
  if (replaces !== null) noteConsent(app, "token_revoked", person, replaces);
  noteConsent(app, widens === null ? "consent_given" : "rights_changed", person, grantId);
  return true;
}
