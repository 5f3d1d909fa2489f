import {
  putOAuthRecord,
  selectOAuthRecord,
  consumeOAuthRecord,
  hasConsumedLater,
  deleteOAuthRecord,
  moveOAuthRecord,
} from "../store/access/oauth-records.ts";
import { putOAuthClient } from "../services/access/put-oauth-client.ts";
import { putOAuthToken } from "../services/access/put-oauth-token.ts";
import { selectGrant } from "../store/access/connectors.ts";
import { updateTokenRevoked } from "../store/access/tokens.ts";
import type { Adapter, AdapterPayload, errors } from "oidc-provider";
import type { AppContext } from "../contract/call/app-context.ts";
import { connectorLifetimesMs, type OAuthRecord } from "../core/access/connector.ts";
import { issuerOf, paths, requestKinds, resourceOf } from "./paths.ts";

/** Registered programs at once; those without any consent for a day do not count. */
const mostClients = 10_000;

type Errors = Pick<typeof errors, "InvalidGrant" | "CustomOIDCProviderError" | "SessionNotFound">;

/** Storage of the library, by kind of record. Ids are stored as digests, and in no payload. */
export const adapterFor =
  (app: AppContext, refusals: Errors) =>
  (kind: string): Adapter => {
    if (kind === "Session") return nothingKept;
    if (kind === "Grant") return grants(app);
    if (kind === "Client") return { ...records(app, kind), ...clients(app, refusals) };
    if (kind === requestKinds.open) return { ...records(app, kind), ...requests(app, refusals) };
    if (kind === "AuthorizationCode") return { ...records(app, kind), ...codes(app, refusals) };
    if (kind === "RefreshToken") return { ...records(app, kind), ...refreshTokens(app) };
    return records(app, kind);
  };

/** People sign in at the dashboard only: sessions of the library are not kept. */
const nothingKept: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

const inSeconds = (ms: number): number => Math.floor(ms / 1000);

export function recordOf(
  { secrets, clock }: AppContext,
  kind: string,
  id: string,
  payload: AdapterPayload,
  lastsMs: number,
): OAuthRecord {
  const now = clock();
  const { jti: _id, ...rest } = payload;
  return {
    kind,
    digest: secrets.digest(id),
    grantId: payload.grantId ?? null,
    payload: JSON.stringify(rest),
    createdAt: now,
    expiresAt: now + lastsMs,
    consumedAt: null,
  };
}

export const payloadOf = (record: OAuthRecord, id: string): AdapterPayload => ({
  ...(JSON.parse(record.payload) as AdapterPayload),
  jti: id,
});

function records(app: AppContext, kind: string): Adapter {
  const { db } = app;
  const digest = (id: string): string => app.secrets.digest(id);
  return {
    ...nothingKept,
    upsert: async (id, payload, seconds = 0) => {
      const record = recordOf(app, kind, id, payload, seconds * 1000);
      await (record.grantId === null
        ? db.write(putOAuthRecord, record)
        : db.write(putOAuthToken, record, digest(payload.clientId ?? "")));
    },
    find: async (id) => {
      const record = await db.read(selectOAuthRecord, kind, digest(id), app.clock());
      if (!record) return undefined;
      const consumed = record.consumedAt === null ? {} : { consumed: inSeconds(record.consumedAt) };
      return { ...payloadOf(record, id), ...consumed };
    },
    consume: async (id) => {
      await db.write(consumeOAuthRecord, kind, digest(id), app.clock());
    },
    destroy: (id) => db.write(deleteOAuthRecord, kind, digest(id)),
    // A grant ends with its row, which every look-up of its tokens reads.
    revokeByGrantId: async () => {},
  };
}

/** A grant is one of the account's tokens: if the token is revoked, nothing of the grant works. */
function grants({ db, clock, baseUrl }: AppContext): Adapter {
  return {
    ...nothingKept,
    find: async (id) => {
      const grant = await db.read(selectGrant, id, clock());
      if (!grant) return undefined;
      const { accountId, clientId, scopes } = grant;
      const resources = { [resourceOf(baseUrl)]: scopes.join(" ") };
      // It has no expiry for the library: the query has just checked that of the row.
      return { jti: id, kind: "Grant", accountId, clientId, resources };
    },
    destroy: (id) => db.write(updateTokenRevoked, id, clock()),
  };
}

const clients = (app: AppContext, { CustomOIDCProviderError }: Errors): Pick<Adapter, "upsert"> => ({
  upsert: async (id, payload) => {
    const record = recordOf(app, "Client", id, payload, connectorLifetimesMs.unusedClient);
    if (await app.db.write(putOAuthClient, record, mostClients)) return;
    throw new CustomOIDCProviderError(
      "temporarily_unavailable",
      "Too many programs are registered at the moment. Try again later.",
    );
  },
});

/**
 * Requests that wait for a person's answer. `returnTo` holds the id, so it is not kept. A request that the
 * library destroys is moved, so that a person who comes back still sees the answer.
 */
const requests = (
  app: AppContext,
  { SessionNotFound }: Errors,
): Pick<Adapter, "upsert" | "find" | "destroy"> => ({
  upsert: async (id, { returnTo: _address, ...payload }, seconds = 0) => {
    await app.db.write(putOAuthRecord, recordOf(app, requestKinds.open, id, payload, seconds * 1000));
  },
  find: async (id) => {
    const digest = app.secrets.digest(id);
    const record = await app.db.read(selectOAuthRecord, requestKinds.open, digest, app.clock());
    if (!record) return undefined;
    return { ...payloadOf(record, id), returnTo: returnAddress(app.baseUrl, id) };
  },
  destroy: async (id) => {
    const { open, fetched } = requestKinds;
    if (await app.db.write(moveOAuthRecord, open, app.secrets.digest(id), fetched)) return;
    throw new SessionNotFound("the answer was fetched before");
  },
});

export const returnAddress = (baseUrl: string, id: string): string =>
  `${issuerOf(baseUrl)}${paths.authorize}/${id}`;

/** A code does not extend its grant as tokens do, and is redeemed once. */
const codes = (app: AppContext, { InvalidGrant }: Errors): Pick<Adapter, "upsert" | "consume"> => ({
  upsert: (id, payload, seconds = 0) =>
    app.db.write(putOAuthRecord, recordOf(app, "AuthorizationCode", id, payload, seconds * 1000)),
  consume: async (id) => {
    const digest = app.secrets.digest(id);
    if (await app.db.write(consumeOAuthRecord, "AuthorizationCode", digest, app.clock())) return;
    throw new InvalidGrant("authorization code already consumed");
  },
});

/** A reused token revokes its grant, unless its successor is unused within the grace: a lost answer. */
const refreshTokens = (app: AppContext): Pick<Adapter, "find"> => ({
  find: async (id) => {
    const { clock, secrets, db } = app;
    const now = clock();
    const record = await db.read(selectOAuthRecord, "RefreshToken", secrets.digest(id), now);
    if (!record) return undefined;
    const { consumedAt, grantId } = record;
    const payload = payloadOf(record, id);
    if (consumedAt === null) return payload;
    const isLate = now - consumedAt > connectorLifetimesMs.refreshGrace;
    const isOver = isLate || (await db.read(hasConsumedLater, "RefreshToken", grantId ?? "", consumedAt));
    return isOver ? { ...payload, consumed: inSeconds(consumedAt) } : payload;
  },
});
