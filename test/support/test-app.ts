import { noMeter } from "../../src/contract/call/meter.ts";
import { addAccount } from "../../src/services/access/add-account.ts";
import { addToken } from "../../src/services/access/add-token.ts";
import { addReport } from "../../src/services/report/add-report.ts";
import { changeReport } from "../../src/services/report/change-report.ts";
import { serverOfCredential } from "../../src/services/server/server-of-credential.ts";
import { offerLinkCode } from "../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../src/services/server/claim-credential.ts";
import { contactAddresses } from "../../src/app/access/contact-addresses.ts";
import { activityLog } from "../../src/app/logs/activity.ts";
import { addressSealer, messageSender } from "../../src/app/access/message-sender.ts";
import { cursorSeal } from "../../src/contract/endpoint/cursor.ts";
import { devices } from "../../src/app/access/devices.ts";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import { passwords } from "../../src/app/access/passwords.ts";
import { passkeyParty } from "../../src/core/access/passkey.ts";
import { afterwards } from "../../src/app/afterwards.ts";
import { setUpCheck } from "../../src/app/access/set-up-code.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { securityLog } from "../../src/app/logs/security-log.ts";
import { sealer, type Sealer } from "../../src/app/access/sealed.ts";
import type { Account } from "../../src/core/access/account.ts";
import { withOverrides, type PlanLimits, type PlanName } from "../../src/core/access/plan.ts";
import { scopes as allScopes, type Role, type Scope } from "../../src/core/access/scope.ts";
import type { SignUpPolicy } from "../../src/core/access/sign-in.ts";
import type { Message } from "../../src/core/notice/message.ts";
import type { Notifier } from "../../src/core/notice/notifier.ts";
import type { OutsideChannel } from "../../src/core/notice/channel.ts";
import { reportContent } from "../../src/core/report/detail.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import type { Report } from "../../src/core/report/report.ts";
import { scoreReport } from "../../src/core/report/scoring.ts";
import { maxServers, noFacts, type ServerFacts } from "../../src/core/server/link-code.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { lateReads } from "../../src/store/engine/open-database.ts";
import { documentReader } from "../../src/documents/reader.ts";
import { pastDaysCache } from "../../src/services/status-page/past-days.ts";
import { memoryDatabase } from "./memory-database.ts";
import { forgivingThrottle } from "./forgiving-throttle.ts";
import { onThisThread } from "./on-this-thread.ts";
import { referencePayload, type Json } from "./payload.ts";

/** A clock that moves only when it is told to. */
export interface FakeClock {
  now: number;
  advance(ms: number): void;
}

/** The one door over a database, without any face before it, and makers of what stands behind it. */
export interface TestApp {
  readonly app: AppContext;
  readonly clock: FakeClock;
  /** Seals addresses as this door opens them. */
  readonly vault: Sealer;
  /** What would have left the building. */
  readonly sent: SentMessage[];
  /** What was reported as a defect; a test that expects none ends with this empty. */
  readonly defects: unknown[];
  /** Resolves when what goes on after an answer has ended. */
  settled(): Promise<void>;
  account(plan?: PlanName, role?: Role, changes?: Partial<Account>): Promise<Account>;
  /** A new token of the account, with every scope unless told otherwise. */
  token(owner: Account, scopes?: readonly Scope[], lifetimeMs?: number): Promise<TestToken>;
  /** A server linked to the account, as its plugin described it, with the first new id that `suits`. */
  server(
    owner: Account,
    facts?: Partial<ServerFacts>,
    suits?: (id: string) => boolean,
  ): Promise<ServerRecord>;
  /** The plugin of that server made contact: it is verified from then on. */
  verify(server: ServerRecord): Promise<void>;
  /** A report of that server: the reference upload with `overrides` laid over it. */
  report(
    server: ServerRecord,
    overrides?: Json,
    visibility?: Report["visibility"],
  ): Promise<{ id: string; shortId: string }>;
  /** Writes down what tokens did. */
  flushActivity(): Promise<void>;
  /** Writes down what matters to the safety of accounts. */
  flushSecurity(): Promise<void>;
  close(): Promise<void>;
}

export interface SentMessage {
  readonly channel: OutsideChannel;
  readonly destination: string;
  readonly message: Message;
  readonly id: string;
}

export interface TestToken {
  readonly id: string;
  readonly secret: string;
}

export interface TestAppOptions {
  readonly plans?: { readonly [Name in PlanName]?: Partial<PlanLimits> };
  readonly baseUrl?: string;
  readonly signUp?: SignUpPolicy;
  readonly sendsMail?: boolean;
  /** One in memory when left out. */
  readonly database?: Database;
}

const dayMs = 24 * 60 * 60 * 1000;
const many = 1_000_000_000;

/** Limits that no test reaches by accident. */
export const roomy: NonNullable<TestAppOptions["plans"]> = Object.fromEntries(
  (["free", "pro", "hosting", "enterprise"] as const).map((name) => [
    name,
    { daily_calls: many, hourly_calls: many, tokens: 1000 },
  ]),
);

/** 20 November 2026, 08:00 UTC. */
export const testEpoch = Date.UTC(2026, 10, 20, 8);

export function testApp({
  plans = {},
  baseUrl = "http://127.0.0.1:8080",
  signUp = "closed",
  sendsMail = true,
  database = memoryDatabase(),
}: TestAppOptions = {}): TestApp {
  const clock: FakeClock = { now: testEpoch, advance: (ms) => void (clock.now += ms) };
  const defects: unknown[] = [];
  const sent: SentMessage[] = [];
  const later = afterwards((error) => void defects.push(error));
  const allPlans = withOverrides(plans);
  const sealing = addressSealer(["a secret for tests only"]);
  const send: Notifier["send"] = async (channel, destination, message, id) => {
    sent.push({ channel, destination, message, id });
    return { status: "sent" };
  };
  const post: Notifier["post"] = async ({ url }, { data }, id) => {
    const { title, lines } = data.third_party_text;
    sent.push({
      channel: "webhook",
      destination: url,
      message: { title, lines, link: data.url, tone: "info" },
      id,
    });
    return { status: "sent" };
  };
  const [db, secrets] = [database, systemSecrets()];
  const activity = activityLog(db, secrets);
  const security = securityLog(db, secrets);
  const app: AppContext = {
    db,
    replica: lateReads(db, null),
    clock: () => clock.now,
    plans: allPlans,
    secrets,
    cursors: cursorSeal(["a secret for tests only"]),
    baseUrl,
    version: "1.2.3",
    isAcceptable: () => true,
    sendMessage: messageSender(sealing, { send, post }),
    contactAddresses: contactAddresses(sealing, { sendsMail: true, mayCall: async () => true }),
    accountPolicy: {
      signUp,
      passwords: passwords(),
      devices: devices(sealer(["a secret for tests only"], "devices"), secrets),
      factors: sealer(["a secret for tests only"], "second factors"),
      passkeyParty: () => passkeyParty(baseUrl),
      mail: sendsMail ? (address, message, id) => send("email", address, message, id) : null,
      afterwards: later.run,
      isSetUpCode: setUpCheck(["a secret for tests only"]),
    },
    throttle: forgivingThrottle(),
    pastDays: pastDaysCache(),
    readDocuments: documentReader(onThisThread),
    activity,
    security,
    meter: noMeter,
    reportDefect: (error) => void defects.push(error),
  };
  const settled = async (): Promise<void> => void (await later.finished());
  return {
    clock,
    defects,
    sent,
    vault: sealing,
    settled,
    flushActivity: () => activity.flush(clock.now),
    flushSecurity: () => security.flush(clock.now),
    close: () => database.close(),
    ...makers(app),
  };
}

let serial = 0;

/** A number no other maker of this process got. */
const next = (): number => (serial += 1);

export type Makers = Pick<TestApp, "app" | "account" | "token" | "server" | "verify" | "report">;

/** Makers of what stands behind a door, this one's or that of a whole service. */
export function makers(app: AppContext): Makers {
  const account: TestApp["account"] = async (plan = "pro", role = "user", changes = {}) => {
    const now = app.clock();
    const id = app.secrets.newId(now);
    const made: Account = {
      id,
      email: `person-${next()}@tests.example`,
      emailVerified: true,
      plan,
      role,
      createdAt: now,
      ...changes,
    };
    await app.db.write(addAccount, made, null);
    return made;
  };

  const token: TestApp["token"] = async (owner, scopes = allScopes, lifetimeMs = 90 * dayMs) => {
    const now = app.clock();
    const secret = app.secrets.newSecret("api");
    const id = app.secrets.newId(now);
    const times = { createdAt: now, expiresAt: now + lifetimeMs, revokedAt: null, lastUsedAt: null };
    const made = {
      id,
      accountId: owner.id,
      name: "a test's token",
      kind: "token" as const,
      scopes,
      ...times,
    };
    await app.db.write(addToken, made, app.secrets.digest(secret), many);
    return { id, secret };
  };

  const claims = new Map<string, string>();

  const server: TestApp["server"] = async (owner, facts = {}, suits = () => true) => {
    const now = app.clock();
    let newServerId = app.secrets.newId(now);
    while (!suits(newServerId)) newServerId = app.secrets.newId(now);
    const code = app.secrets.newLinkCode();
    const claimDigest = `claim ${next()}`;
    const installationId = `6f1c0c52-8a39-4c5e-9d5b-${next().toString(16).padStart(12, "0")}`;
    const times = { createdAt: now, expiresAt: now + dayMs };
    await app.db.write(offerLinkCode, {
      code,
      installationId,
      claimDigest,
      facts: { ...noFacts, ...facts },
      ...times,
    });
    const monitoredServers = app.plans[owner.plan].monitored_servers;
    const request = {
      code,
      accountId: owner.id,
      name: null,
      newServerId,
      now,
      maxServers,
      monitoredServers,
    };
    const result = await app.db.write(useLinkCode, request);
    if (result.kind !== "linked") throw new Error(`Expected a new server, got ${result.kind}.`);
    claims.set(result.server.id, claimDigest);
    return result.server;
  };

  const verify: TestApp["verify"] = async ({ id }) => {
    const [now, credential] = [app.clock(), `credential ${next()}`];
    await claimCredential(app.db, claims.get(id) ?? "", credential, now);
    await serverOfCredential(app.db, credential, now);
  };

  const report: TestApp["report"] = async (from, overrides = {}, visibility) => {
    const now = app.clock();
    const payload = ReportPayload.parse(referencePayload({ local_id: `run-${next()}`, ...overrides }));
    const content = reportContent(payload, scoreReport(payload));
    const { id, shortId } = await app.db.write(addReport, {
      id: app.secrets.newId(now),
      shortId: app.secrets.newShortId(),
      localId: payload.local_id,
      serverId: from.id,
      authorId: from.accountId,
      source: "manual",
      createdAt: now,
      finishedAt: now,
      expiresAt: null,
      description: content.description,
      content,
      payload: JSON.stringify(payload),
    });
    if (visibility) await app.db.write(changeReport, id, { visibility });
    return { id, shortId };
  };

  return { app, account, token, server, verify, report };
}
