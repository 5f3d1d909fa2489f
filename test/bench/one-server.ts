import { openDatabase } from "../../src/store/engine/open-database.ts";
import { addAccount } from "../../src/services/access/add-account.ts";
import { addToken } from "../../src/services/access/add-token.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import { offerLinkCode } from "../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../src/services/server/use-link-code.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { noFacts } from "../../src/core/server/link-code.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { exampleSample } from "../../src/endpoints/api/server/example-sample.ts";

/** A database with one account without limits, its token, and one server that reported once. */
export interface OneServer {
  readonly environment: Record<string, string>;
  readonly token: string;
  readonly serverId: string;
  remove(): void;
}

export async function oneServer(): Promise<OneServer> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-bench-"));
  const databaseUrl = `sqlite:${join(folder, "bench.db")}`;
  const secrets = systemSecrets();
  const token = secrets.newSecret("api");
  writeFileSync(
    join(folder, "plans.json"),
    JSON.stringify({ pro: { daily_calls: 1_000_000_000, hourly_calls: 1_000_000_000 } }),
  );
  const database = await openDatabase(databaseUrl, () => {});
  const db = database;
  const now = Date.now();
  const accountId = secrets.newId(now);
  await db.write(
    addAccount,
    {
      id: accountId,
      email: "bench@example.org",
      emailVerified: true,
      plan: "pro",
      role: "user",
      createdAt: now,
    },
    null,
  );
  const dates = { createdAt: now, expiresAt: now + 86_400_000, revokedAt: null, lastUsedAt: null };
  await db.write(
    addToken,
    { id: secrets.newId(now), accountId, name: "bench", kind: "token", scopes, ...dates },
    secrets.digest(token),
    5,
  );
  await db.write(offerLinkCode, {
    code: "ABCDEFGH",
    installationId: "bench",
    claimDigest: "claim",
    facts: noFacts,
    createdAt: now,
    expiresAt: now + 1000,
  });
  const serverId = secrets.newId(now);
  await db.write(useLinkCode, {
    code: "ABCDEFGH",
    accountId,
    name: "Bench",
    newServerId: serverId,
    now,
    maxServers: 500,
    monitoredServers: 3,
  });
  const sample = {
    sampledAt: now,
    reported: ReportedSample.parse({ ...exampleSample, sampled_at: new Date(now).toISOString() }),
  };
  await db.write(recordHeartbeat, {
    serverId,
    receivedAt: now,
    bootTimestamp: now,
    lastTickAgeMs: 20,
    announcement: null,
    sample,
    limits: defaultPlans.pro,
  });
  await database.close();
  const environment = {
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_PLANS: join(folder, "plans.json"),
    TICKMARK_LOG_LEVEL: "warn",
  };
  return { environment, token, serverId, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
