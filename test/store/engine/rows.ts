import { query } from "../../../src/store/engine/query.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { addAccount } from "../../../src/services/access/add-account.ts";
import { addToken } from "../../../src/services/access/add-token.ts";
import { serverOfCredential } from "../../../src/services/server/server-of-credential.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import type { Account, ApiToken } from "../../../src/core/access/account.ts";
import { ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import { reportContent } from "../../../src/core/report/detail.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import type { NewReport } from "../../../src/core/report/records.ts";
import { noFacts, type NewLinkCode } from "../../../src/core/server/link-code.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { LinkRequest, SampleWrite } from "../../../src/core/server/records.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
import { acceptedPayload, type Json } from "../../support/payload.ts";

/** Gives a server to another account, as no operation of the service does. */
export const setHolder = query<{ id: string; account: string }>()((db, $) =>
  db.updateTable("server").set({ account_id: $.account }).where("id", "=", $.id),
);

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** When the tests take place: nothing here reads a clock. */
export const noon = Date.UTC(2026, 10, 20, 12);

let serial = 0;
const next = (): number => (serial += 1);
const digits = (length: number): string => String(next()).padStart(length, "0");

/** A full identifier; later ones sort after earlier ones. */
export const newId = (): string => `019a9f5e-1d00-7000-8000-${digits(12)}`;
export const newDigest = (): string => `digest-${digits(8)}`;
const newCode = (): string => `C${digits(7)}`;

export const viewer = (account: Account | null, admin = false): Viewer => ({
  accountId: account?.id ?? null,
  admin,
});
export const admin = (account: Account): Viewer => viewer(account, true);
export const nobody: Viewer = { accountId: null, admin: false };

export async function newAccount(db: Database, changes: Partial<Account> = {}): Promise<Account> {
  const id = newId();
  const account: Account = {
    id,
    email: `${id}@example.org`,
    emailVerified: true,
    plan: "pro",
    role: "user",
    createdAt: noon,
    ...changes,
  };
  if (!(await db.write(addAccount, account, null))) throw new Error("The address is taken.");
  return account;
}

export const tokenOf = (account: Account, changes: Partial<ApiToken> = {}): ApiToken => ({
  id: newId(),
  accountId: account.id,
  name: "laptop",
  kind: "token",
  scopes: ["reports:read"],
  createdAt: noon,
  expiresAt: noon + 90 * day,
  revokedAt: null,
  lastUsedAt: null,
  ...changes,
});

/** Stores a token beyond every limit and answers its digest. */
export async function newToken(db: Database, account: Account, changes: Partial<ApiToken> = {}) {
  const token = tokenOf(account, changes);
  const digest = newDigest();
  if (!(await db.write(addToken, token, digest, 1000))) throw new Error("No token was made.");
  return { token, digest };
}

export const linkCode = (changes: Partial<NewLinkCode> = {}): NewLinkCode => ({
  code: newCode(),
  installationId: newId(),
  claimDigest: newDigest(),
  facts: noFacts,
  createdAt: noon,
  expiresAt: noon + 15 * minute,
  ...changes,
});

export const linkRequest = (
  account: Account,
  code: string,
  changes: Partial<LinkRequest> = {},
): LinkRequest => ({
  code,
  accountId: account.id,
  name: null,
  newServerId: newId(),
  now: noon,
  maxServers: 500,
  monitoredServers: 3,
  ...changes,
});

/** Links a server to the account; `code` is the one it was linked with. */
export async function newServer(
  db: Database,
  account: Account,
  changes: Partial<LinkRequest> = {},
): Promise<{ server: ServerRecord; code: NewLinkCode }> {
  const code = linkCode({ createdAt: changes.now ?? noon, expiresAt: (changes.now ?? noon) + 15 * minute });
  await db.write(offerLinkCode, code);
  const result = await db.write(useLinkCode, linkRequest(account, code.code, changes));
  if (result.kind !== "linked") throw new Error(`The code made no server: ${result.kind}.`);
  return { server: result.server, code };
}

/** Claims and uses the server's credential, which verifies it; answers the credential's digest. */
export async function verify(db: Database, { claimDigest }: NewLinkCode, now = noon): Promise<string> {
  const digest = newDigest();
  await claimCredential(db, claimDigest, digest, now);
  await serverOfCredential(db, digest, now);
  return digest;
}

export const sampleAt = (sampledAt: number, values: Json = {}): SampleWrite => ({
  sampledAt,
  reported: ReportedSample.parse({ sampled_at: new Date(sampledAt).toISOString(), tps: 20, ...values }),
});

export function newReport(
  author: Account,
  server: ServerRecord,
  changes: Partial<NewReport> = {},
  upload: Json = {},
): NewReport {
  const payload = acceptedPayload(upload);
  return {
    id: newId(),
    shortId: digits(12),
    localId: `bench-${digits(6)}`,
    serverId: server.id,
    authorId: author.id,
    source: "manual",
    createdAt: noon,
    finishedAt: noon,
    expiresAt: null,
    description: null,
    content: reportContent(payload, scoreReport(payload)),
    payload: JSON.stringify(payload),
    ...changes,
  };
}

/** As many numbers, from 0. */
export const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Fewer than wait five seconds for a connection, however busy the machine is. */
const atATime = 10;

/** Does something for each of the numbers from 0, some at a time: for what a test prepares. */
export async function prepared<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let first = 0; first < count; first += atATime)
    made.push(
      ...(await Promise.all(times(Math.min(atATime, count - first)).map((index) => make(first + index)))),
    );
  return made;
}
