import { insertTarget } from "../../../src/store/auto-bench/targets.ts";
import { addRunner } from "../../../src/services/auto-bench/add-runner.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { TargetRecord } from "../../../src/core/auto-bench/target.ts";
import { noFacts } from "../../../src/core/server/link-code.ts";
import { targetOf } from "../../support/auto-bench-target.ts";
import type { TestApp } from "../../support/test-app.ts";

/** A target of one run a job without a schedule. */
export async function newTarget(
  test: Pick<TestApp, "app">,
  owner: Account,
  serverId: string,
  changes: Partial<TargetRecord> = {},
): Promise<TargetRecord> {
  const now = test.app.clock();
  const whose = { id: test.app.secrets.newId(now), accountId: owner.id, serverId };
  const made = targetOf(whose, now, changes);
  await test.app.db.write(insertTarget, made);
  return made;
}

/** The key of a new runner. */
export async function newRunner(test: Pick<TestApp, "app">): Promise<string> {
  const key = test.app.secrets.newSecret("runner");
  const now = test.app.clock();
  const id = test.app.secrets.newId(now);
  const record = { id, name: "rack 7", createdAt: now, revokedAt: null, lastUsedAt: null };
  await test.app.db.write(addRunner, record, test.app.secrets.digest(key));
  return key;
}

/** A server of the owner with the credential its plugin holds. */
export async function credentialedServer(
  { app }: TestApp,
  owner: Account,
): Promise<{ id: string; credential: string }> {
  const { db } = app;
  const now = app.clock();
  const code = app.secrets.newLinkCode();
  const [claimDigest, credential] = [`digest ${code}`, app.secrets.newSecret("server")];
  const times = { createdAt: now, expiresAt: now + 900_000 };
  await db.write(offerLinkCode, { code, installationId: code, claimDigest, facts: noFacts, ...times });
  const newServerId = app.secrets.newId(now);
  const limits = { maxServers: 500, monitoredServers: 3 };
  await db.write(useLinkCode, { code, accountId: owner.id, name: null, newServerId, now, ...limits });
  const claimed = await claimCredential(db, claimDigest, app.secrets.digest(credential), now);
  if (claimed.kind !== "linked") throw new Error(claimed.kind);
  return { id: claimed.serverId, credential };
}
