import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { startSession } from "../../../src/contract/call/person.ts";
import { systemSecrets } from "../../../src/app/access/secrets.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { scopes } from "../../../src/core/access/scope.ts";
import { freshProgress, type AlertMetric, type RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import { noFacts } from "../../../src/core/server/link-code.ts";
import { dayMs, minuteMs } from "../../../src/core/time.ts";
import { addAccount } from "../../../src/services/access/add-account.ts";
import { addToken } from "../../../src/services/access/add-token.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { insertAlertRule } from "../../../src/store/alert/alert-rules.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";

/** A linked server, and what its plugin sends with each call. */
export interface FleetServer {
  readonly id: string;
  readonly credential: string;
}

/** An account with its servers, a token of its assistant, and the cookie of a browser that is signed in to it. */
export interface FleetAccount {
  readonly token: string;
  readonly session: string;
  readonly servers: readonly FleetServer[];
}

/** What the rules of each server watch: metric, condition, threshold, minutes. */
const rules = [
  ["tps", "below", 17, 2],
  ["mspt", "above", 45, 1],
  ["player_count", "above", 100, 10],
  ["ram_used_mb", "above", 9500, 5],
  ["offline", null, null, 3],
] as const satisfies readonly (readonly [AlertMetric, RuleRecord["condition"], number | null, number])[];

const secrets = systemSecrets();

function ruleOf(serverId: string, place: number, now: number): RuleRecord {
  const [metric, condition, threshold, durationMinutes] = rules[place % rules.length] ?? rules[0];
  return {
    id: secrets.newId(now),
    serverId,
    name: `Rule ${place + 1}`,
    metric,
    condition,
    threshold,
    durationMinutes,
    cooldownMinutes: 30,
    notify: { email: true, chat: false, in_app: true },
    enabled: true,
    mutedUntil: null,
    muteToldUntil: null,
    progress: freshProgress(true, now),
    lastTriggeredAt: null,
    lastNotifiedAt: null,
    openAlertId: null,
    createdAt: now,
    updatedAt: now,
  };
}

async function addFleetAccount(db: Database, size: number): Promise<FleetAccount> {
  const now = Date.now();
  const account: Account = {
    id: secrets.newId(now),
    email: `owner-${secrets.newLinkCode()}@fleet.example`,
    emailVerified: true,
    plan: "enterprise",
    role: "user",
    createdAt: now,
  };
  await db.write(addAccount, account, null);
  const token = secrets.newSecret("api");
  const dates = { createdAt: now, expiresAt: now + dayMs, revokedAt: null, lastUsedAt: null };
  const known = {
    id: secrets.newId(now),
    accountId: account.id,
    name: "fleet",
    kind: "token",
    scopes,
  } as const;
  await db.write(addToken, { ...known, ...dates }, secrets.digest(token), 5);
  const { secret: session } = await startSession({ db, secrets }, account, "fleet", now);
  const made = Array.from({ length: size }, () => ({
    id: secrets.newId(now),
    code: secrets.newLinkCode(),
    claimDigest: secrets.digest(secrets.newSecret("claim")),
    credential: secrets.newSecret("server"),
  }));
  const offered = { facts: noFacts, createdAt: now, expiresAt: now + minuteMs };
  await db.write(function* () {
    for (const [place, { id, code, claimDigest }] of made.entries()) {
      yield* offerLinkCode({ code, installationId: id, claimDigest, ...offered });
      const server = { newServerId: id, name: `Server ${place}`, maxServers: size, monitoredServers: size };
      yield* useLinkCode({ code, accountId: account.id, now, ...server });
      for (const rule of rules.keys()) yield* insertAlertRule(ruleOf(id, rule, now));
    }
  });
  await Promise.all(
    made.map(({ claimDigest, credential }) =>
      claimCredential(db, claimDigest, secrets.digest(credential), now),
    ),
  );
  return { token, session, servers: made.map(({ id, credential }) => ({ id, credential })) };
}

/** Accounts of `each` servers with five rules a server, made in the database before any service serves it. */
export async function addFleet(url: string, servers: number, each: number): Promise<FleetAccount[]> {
  const db = await openDatabase(url, () => {});
  const accounts: FleetAccount[] = [];
  for (let left = servers; left > 0; left -= each)
    accounts.push(await addFleetAccount(db, Math.min(left, each)));
  await db.close();
  return accounts;
}

/** The fleet whose secrets are in the file; makes it, and the file, where there is none. */
export async function keptFleet(
  file: string,
  url: string,
  servers: number,
  each: number,
): Promise<FleetAccount[]> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as FleetAccount[];
  const accounts = await addFleet(url, servers, each);
  writeFileSync(file, JSON.stringify(accounts), { mode: 0o600 });
  return accounts;
}
