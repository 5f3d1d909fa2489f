import { pruneAll } from "../../../src/services/job/prune.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  putOAuthRecord,
  selectOAuthRecord,
  consumeOAuthRecord,
  hasConsumedLater,
  moveOAuthRecord,
} from "../../../src/store/access/oauth-records.ts";
import { answerOAuthRecord } from "../../../src/services/access/answer-oauth-record.ts";
import { putOAuthClient } from "../../../src/services/access/put-oauth-client.ts";
import { putOAuthToken } from "../../../src/services/access/put-oauth-token.ts";
import {
  selectGrantsOfClient,
  countActiveConnectors,
  selectGrant,
  selectPresentedAccess,
} from "../../../src/store/access/connectors.ts";
import { grantConsent } from "../../../src/services/access/grant-consent.ts";
import {
  selectPresentedToken,
  updateTokenRevoked,
  updateTokenUsed,
} from "../../../src/store/access/tokens.ts";
import { beforeAll, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { ConnectorGrant, OAuthRecord } from "../../../src/core/access/connector.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newDigest, newId, newToken, noon, times, tokenOf } from "../engine/rows.ts";

const client = { id: "c1", name: "A program", host: "program.example" };

const record = (kind: string, changes: Partial<OAuthRecord> = {}): OAuthRecord => ({
  kind,
  digest: newDigest(),
  grantId: null,
  payload: "{}",
  createdAt: noon,
  expiresAt: noon + minute,
  consumedAt: null,
  ...changes,
});

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  /** A question that was asked. */
  const asked = async (): Promise<OAuthRecord> => {
    const request = record("Interaction");
    await db.write(putOAuthRecord, request);
    return request;
  };

  const consent = async (
    account: Account,
    limit: number,
    request?: OAuthRecord,
    replaces: string | null = null,
  ) => {
    const token = tokenOf(account, {
      id: newId(),
      kind: "connector",
      scopes: ["reports:read", "servers:read"],
    });
    const answered = request ?? (await asked());
    const given = {
      token,
      client,
      digest: newDigest(),
      limit,
      request: answered,
      replaces,
      widens: null,
    };
    return { id: token.id, outcome: await db.write(grantConsent, given) };
  };

  const granted = async (account: Account): Promise<string> => (await consent(account, 100)).id;

  const accessTo = async (
    grantId: string,
    scope: string,
    expiresAt = noon + 60 * minute,
  ): Promise<string> => {
    const access = record("AccessToken", { grantId, expiresAt, payload: JSON.stringify({ scope }) });
    await db.write(putOAuthToken, access, "nobody");
    return access.digest;
  };

  it("[OUR-OAU-15] of twenty consents at once as many are given as the plan has room for", async () => {
    const account = await newAccount(db);
    await newToken(db, account);
    const made = await Promise.all(times(20).map(() => consent(account, 5)));
    expect(made.filter(({ outcome }) => outcome === "given")).toHaveLength(4);
    expect(made.filter(({ outcome }) => outcome === "limit")).toHaveLength(16);
    expect(await db.read(countActiveConnectors, account.id, noon)).toBe(5);
    for (const { id, outcome } of made)
      expect((await db.read(selectGrant, id, noon)) !== null).toBe(outcome === "given");
  });

  it("[OUR-OAU-13] of ten answers to one request at once one counts, and a full plan leaves the request open", async () => {
    const account = await newAccount(db);
    const request = await asked();
    expect((await consent(account, 0, request)).outcome).toBe("limit");
    const made = await Promise.all(times(10).map(() => consent(account, 50, request)));
    expect(made.filter(({ outcome }) => outcome === "given")).toHaveLength(1);
    expect(made.filter(({ outcome }) => outcome === "answered")).toHaveLength(9);
  });

  it("[OUR-OAU-28] a consent takes the place of a grant of the same program and account, and of nothing else", async () => {
    const [account, other] = [await newAccount(db), await newAccount(db)];
    const [mine, foreign] = [await granted(account), await granted(other)];
    const { token: plain } = await newToken(db, account);
    const isActive = async (id: string) => (await db.read(selectGrant, id, noon)) !== null;
    for (const replaces of [foreign, plain.id, "unknown"])
      expect((await consent(account, 2, undefined, replaces)).outcome).toBe("limit");
    expect([await isActive(mine), await isActive(foreign)]).toEqual([true, true]);
    // One less is not enough: what was to give way stays.
    expect((await consent(account, 1, undefined, mine)).outcome).toBe("limit");
    expect(await isActive(mine)).toBe(true);
    const made = await Promise.all(times(10).map(() => consent(account, 2, undefined, mine)));
    expect(made.filter(({ outcome }) => outcome === "given")).toHaveLength(1);
    expect(await isActive(mine)).toBe(false);
    expect(await db.read(countActiveConnectors, account.id, noon)).toBe(2);
  });

  it("[OUR-OAU-28] lists a program's active grants, the one that was used last first", async () => {
    const [account, other] = [await newAccount(db), await newAccount(db)];
    const [idle, used, gone] = [await granted(account), await granted(account), await granted(account)];
    await granted(other);
    await newToken(db, account);
    await db.writeRelaxed(updateTokenUsed, used, noon + 5);
    await db.write(updateTokenRevoked, gone, noon);
    const listed = (client: string) => db.read(selectGrantsOfClient, account.id, client, noon);
    const [first, second, ...more] = await listed("c1");
    expect([first?.id, first?.lastUsedAt, second?.id, second?.lastUsedAt]).toEqual([
      used,
      noon + 5,
      idle,
      null,
    ]);
    expect([more, await listed("c2")]).toEqual([[], []]);
  });

  it("[OUR-OAU-27] of ten who answer, and of ten who fetch the answer, one does", async () => {
    const request = await asked();
    const { kind, digest } = request;
    const answers = times(10).map((n) =>
      db.write(answerOAuthRecord, { ...request, payload: String(n), consumedAt: noon }),
    );
    const first = (await Promise.all(answers)).indexOf(true);
    expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1);
    expect((await db.read(selectOAuthRecord, kind, digest, noon))?.payload).toBe(String(first));
    const fetched = await Promise.all(
      times(10).map(() => db.write(moveOAuthRecord, kind, digest, "Fetched")),
    );
    expect(fetched.filter(Boolean)).toHaveLength(1);
    expect(await db.read(selectOAuthRecord, kind, digest, noon)).toBeNull();
    expect((await db.read(selectOAuthRecord, "Fetched", digest, noon))?.payload).toBe(String(first));
  });

  it("[OUR-OAU-04] what is consumed by ten at once is consumed by one", async () => {
    const code = record("AuthorizationCode");
    await db.write(putOAuthRecord, code);
    const consumed = await Promise.all(
      times(10).map(() => db.write(consumeOAuthRecord, code.kind, code.digest, noon + 1)),
    );
    expect(consumed.filter(Boolean)).toHaveLength(1);
    expect(await db.read(selectOAuthRecord, code.kind, code.digest, noon)).toEqual({
      ...code,
      consumedAt: noon + 1,
    });
    expect(await db.read(selectOAuthRecord, "RefreshToken", code.digest, noon)).toBeNull();
    expect(await db.read(selectOAuthRecord, code.kind, code.digest, noon + minute)).toBeNull();
  });

  it("[OUR-OAU-18] tells whether a later token of the same grant was used", async () => {
    const account = await newAccount(db);
    const [mine, other] = [await granted(account), await granted(account)];
    const used = async (grantId: string, at: number) => {
      const token = record("RefreshToken", { grantId });
      await db.write(putOAuthToken, token, "nobody");
      await db.write(consumeOAuthRecord, token.kind, token.digest, at);
    };
    await used(mine, noon + 1);
    await used(other, noon + 5);
    expect(await db.read(hasConsumedLater, "RefreshToken", mine, noon + 1)).toBe(false);
    await used(mine, noon + 2);
    expect(await db.read(hasConsumedLater, "RefreshToken", mine, noon + 1)).toBe(true);
  });

  it("[OUR-OAU-19] an access token is its grant, with no more scopes than both have, and ends with it", async () => {
    const account = await newAccount(db);
    const id = await granted(account);
    const digest = await accessTo(id, "servers:read monitoring:write");
    const found = await db.read(selectPresentedAccess, digest, noon);
    expect(found).toMatchObject({
      token: { id, kind: "connector", scopes: ["servers:read"], name: "laptop" },
      account: { id: account.id },
      client: "A program",
      accessEndsAt: noon + 60 * minute,
      newerActive: 0,
    });
    expect(await db.read(selectPresentedToken, digest, noon)).toBeNull();
    await newToken(db, account, { createdAt: noon + 1 });
    expect((await db.read(selectPresentedAccess, digest, noon))?.newerActive).toBe(1);
    await db.write(updateTokenRevoked, id, noon + 3);
    expect((await db.read(selectPresentedAccess, digest, noon))?.token.revokedAt).toBe(noon + 3);
    expect(await db.read(selectGrant, id, noon)).toBeNull();
  });

  it("[OUR-OAU-18] a grant and its program last as long as what was issued last", async () => {
    const account = await newAccount(db);
    const program = record("Client");
    expect(await db.write(putOAuthClient, program, 1_000)).toBe(true);
    const id = await granted(account);
    const endOf = async (): Promise<ConnectorGrant["expiresAt"] | undefined> =>
      (await db.read(selectGrant, id, noon))?.expiresAt;
    const refresh = record("RefreshToken", { grantId: id, expiresAt: noon + 200 * day });
    await db.write(putOAuthToken, refresh, program.digest);
    expect(await endOf()).toBe(noon + 200 * day);
    await accessTo(id, "reports:read");
    expect(await endOf()).toBe(noon + 200 * day);
    expect(await db.read(selectOAuthRecord, "Client", program.digest, noon + 199 * day)).not.toBeNull();
  });

  it("[OUR-OAU-11] keeps no more programs than that at once", async () => {
    const other = await databases.open();
    const outcomes = [];
    for (const createdAt of [noon, noon, noon, noon + minute])
      outcomes.push(
        await other.write(putOAuthClient, record("Client", { createdAt, expiresAt: createdAt + minute }), 2),
      );
    expect(outcomes).toEqual([true, true, false, true]);
  });

  it("[OUR-OAU-24] deletes a record a day after it expired, and no other", async () => {
    const now = noon + 1000 * day;
    const kept = record("RefreshToken", { createdAt: now, expiresAt: now - keptMs.oauthRecord });
    const gone = record("RefreshToken", { createdAt: now, expiresAt: now - keptMs.oauthRecord - 1 });
    for (const one of [kept, gone]) await db.write(putOAuthRecord, one);
    for await (const _ of pruneAll(db, now, defaultPlans));
    const before = now - 10 * day;
    expect(await db.read(selectOAuthRecord, kept.kind, kept.digest, before)).not.toBeNull();
    expect(await db.read(selectOAuthRecord, gone.kind, gone.digest, before)).toBeNull();
  });
});
