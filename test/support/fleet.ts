import { openDatabase } from "../../src/store/engine/open-database.ts";
import { addAccount } from "../../src/services/access/add-account.ts";
import { addToken } from "../../src/services/access/add-token.ts";
import { offerLinkCode } from "../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../src/services/server/claim-credential.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import type { PlanName } from "../../src/core/access/plan.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { noFacts } from "../../src/core/server/link-code.ts";

/** An account with linked servers, made in the database before any service serves it. */
export interface Fleet {
  readonly token: string;
  readonly servers: readonly { readonly id: string; readonly name: string; readonly credential: string }[];
}

/** Makes a fleet that may be called for real: its token and credentials are those a person and a plugin would hold. */
export async function makeFleet(databaseUrl: string, count: number, plan: PlanName): Promise<Fleet> {
  const secrets = systemSecrets();
  const now = Date.now();
  const token = secrets.newSecret("api");
  const accountId = secrets.newId(now);
  const database = await openDatabase(databaseUrl, () => {});
  const db = database;
  const email = `owner-${accountId}@tests.example`;
  await db.write(
    addAccount,
    { id: accountId, email, emailVerified: true, plan, role: "user", createdAt: now },
    null,
  );
  const dates = { createdAt: now, expiresAt: now + 86_400_000, revokedAt: null, lastUsedAt: null };
  const known = { id: secrets.newId(now), accountId, name: "tests", kind: "token", scopes } as const;
  await db.write(addToken, { ...known, ...dates }, secrets.digest(token), 5);
  const servers = [];
  for (let place = 0; place < count; place += 1) {
    const [id, name, code] = [secrets.newId(now), `Server ${place}`, secrets.newLinkCode()];
    const [claim, credential] = [secrets.newSecret("claim"), secrets.newSecret("server")];
    const claimDigest = secrets.digest(claim);
    await db.write(offerLinkCode, {
      code,
      installationId: id,
      claimDigest,
      facts: noFacts,
      createdAt: now,
      expiresAt: now + 60_000,
    });
    await db.write(useLinkCode, {
      code,
      accountId,
      name,
      newServerId: id,
      now,
      maxServers: count,
      monitoredServers: count,
    });
    await claimCredential(db, claimDigest, secrets.digest(credential), now);
    servers.push({ id, name, credential });
  }
  await database.close();
  return { token, servers };
}
