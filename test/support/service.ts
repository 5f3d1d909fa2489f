import { addAccount } from "../../src/services/access/add-account.ts";
import { addToken } from "../../src/services/access/add-token.ts";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { pino } from "pino";
import type { AddressInfo } from "node:net";
import type { Reach } from "../../src/outbound/reach.ts";
import type { Catalogue } from "../../src/mcp/catalogue/catalogue.ts";
import { startService, type AppReplacements, type Service } from "../../src/app/start.ts";
import { readConfig } from "../../src/app/config/config.ts";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import type { Account } from "../../src/core/access/account.ts";
import { withOverrides, type PlanLimits, type PlanName } from "../../src/core/access/plan.ts";
import type { SignUpPolicy } from "../../src/core/access/sign-in.ts";
import { scopes as allScopes, type Role, type Scope } from "../../src/core/access/scope.ts";
import type { Executor } from "../../src/documents/executor.ts";
import { throttleOf } from "./forgiving-throttle.ts";
import { onThisThread } from "./on-this-thread.ts";
import { referencePayload, type Json } from "./payload.ts";

export type { Json } from "./payload.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body where it is a JSON object, else an empty object. */
  readonly json: Json;
}

export interface Asked {
  readonly token?: string | null;
  /** Sent as it is when text or bytes, as JSON otherwise. */
  readonly body?: unknown;
  /** An array makes the header appear that many times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A server linked through the plugin API, with the credential its plugin holds. */
export interface LinkedServer {
  readonly id: string;
  readonly owner: Account;
  readonly credential: string;
  readonly code: string;
  readonly claimSecret: string;
}

export interface TestService {
  readonly app: AppContext;
  readonly service: Service;
  readonly port: number;
  /** What the service reported as its own defects; a test that expects none ends with this empty. */
  readonly defects: readonly string[];
  request(method: string, path: string, asked?: Asked): Promise<Answer>;
  account(plan?: PlanName, role?: Role, changes?: Partial<Account>): Promise<Account>;
  /** A new token of the account, with every scope unless told otherwise. */
  token(
    account: Account,
    scopes?: readonly Scope[],
    times?: { createdAt?: number; expiresAt?: number },
  ): Promise<string>;
  /** A link code nobody used yet. */
  linkCode(facts?: Json, installationId?: string): Promise<{ code: string; claimSecret: string }>;
  server(owner: Account, facts?: Json): Promise<LinkedServer>;
  /** Uploads the reference payload with a local id of its own. */
  report(server: LinkedServer, overrides?: Json): Promise<{ id: string; shortId: string }>;
  close(): Promise<void>;
}

export interface TestServiceOptions extends Pick<AppReplacements, "acceptNewSecret"> {
  readonly plans?: { readonly [Name in PlanName]?: Partial<PlanLimits> };
  readonly clock?: () => number;
  readonly databaseUrl?: string;
  readonly trustProxy?: string;
  readonly secret?: string;
  readonly smtpUrl?: string;
  readonly signUp?: SignUpPolicy;
  readonly baseUrl?: string;
  /** One of the system's choice when left out. */
  readonly port?: number;
  /** Where chat webhooks may lead. */
  readonly reach?: Reach;
  /** What the connector offers in place of its own. */
  readonly catalogue?: Catalogue;
  /** How often what clients of the connector watch is looked at, ms. */
  readonly watchEveryMs?: number;
  /** The time that requests in flight get at the end, ms. */
  readonly stopMs?: number;
  /** Further settings, by their whole names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Is given every line of the log from `info` on. */
  readonly logTo?: (line: string) => void;
  readonly countsRefused?: true; // Bodies that are refused count as many requests, as in a service.
  /** Where documents are read; on the thread of the test when left out, from the sources it tests. */
  readonly executor?: Executor;
  /** False: jobs run only when a test runs them, `service.work.run()`; their timers know nothing of the test's clock. */
  readonly timers?: boolean;
}

const many = 1_000_000_000;
/** As pino counts levels. */
const errorLevel = 50;
/** Limits that no test reaches by accident. */
export const roomyLimits: Partial<PlanLimits> = { daily_calls: many, hourly_calls: many, tokens: 1000 };
export const roomyPlans = {
  free: roomyLimits,
  pro: roomyLimits,
  hosting: roomyLimits,
  enterprise: roomyLimits,
};

const yearMs = 365 * 24 * 60 * 60 * 1000;
/** The whole service over a socket of this machine, in memory unless told otherwise. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const defects: string[] = [];
  const { logTo } = options;
  const write = (line: string): void => {
    logTo?.(line);
    if (Number((JSON.parse(line) as Json)["level"]) >= errorLevel) defects.push(line);
  };
  const log = pino({ level: logTo ? "info" : "error" }, { write });
  const config = readConfig({
    TICKMARK_DATABASE_URL: options.databaseUrl ?? "sqlite::memory:",
    TICKMARK_PORT: String(options.port ?? 0),
    TICKMARK_SECRET: options.secret ?? "a secret for tests only",
    TICKMARK_TRUST_PROXY: options.trustProxy,
    TICKMARK_SMTP_URL: options.smtpUrl,
    TICKMARK_SIGN_UP: options.signUp,
    TICKMARK_BASE_URL: options.baseUrl,
    ...options.settings,
  });
  const replaced = { plans: withOverrides(options.plans ?? {}), stopMs: options.stopMs ?? config.stopMs };
  const service = await startService({ ...config, ...replaced }, log, {
    executor: options.executor ?? onThisThread,
    throttle: throttleOf(options),
    ...(options.clock && { clock: options.clock }),
    ...(options.reach && { reach: options.reach }),
    ...(options.catalogue && { catalogue: options.catalogue }),
    ...(options.timers === false && { timers: false }),
    ...(options.acceptNewSecret && { acceptNewSecret: true }),
    ...(options.watchEveryMs && { watchEveryMs: options.watchEveryMs }),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { port } = service.http.server.address() as AddressInfo;
  const request = (method: string, path: string, asked: Asked = {}) =>
    exchange({ agent, port, method, path }, asked);
  const close = async (): Promise<void> => {
    agent.destroy();
    await service.close();
  };
  return { app: service.app, service, port, defects, request, close, ...makers(service.app, request) };
}

type Request = TestService["request"];
type Makers = Pick<TestService, "account" | "token" | "linkCode" | "server" | "report">;

let serial = 0;
/** A number no other maker of this process got. */
const next = (): number => (serial += 1);

const installation = (): string => `6f1c0c52-8a39-4c5e-9d5b-${next().toString(16).padStart(12, "0")}`;

function makers(app: AppContext, request: Request): Makers {
  const account: Makers["account"] = async (plan = "pro", role = "user", changes = {}) => {
    const now = app.clock();
    const made: Account = {
      id: app.secrets.newId(now),
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

  const token: Makers["token"] = async (owner, scopes = allScopes, times = {}) => {
    const createdAt = times.createdAt ?? app.clock();
    const secret = app.secrets.newSecret("api");
    const id = app.secrets.newId(app.clock());
    const expiresAt = times.expiresAt ?? createdAt + yearMs;
    const common = {
      accountId: owner.id,
      name: "a test's token",
      kind: "token" as const,
      scopes,
      revokedAt: null,
    };
    await app.db.write(
      addToken,
      { id, createdAt, expiresAt, lastUsedAt: null, ...common },
      app.secrets.digest(secret),
      many,
    );
    return secret;
  };

  const linkCode: Makers["linkCode"] = async (
    facts = { name: "Lobby", port: 25_565 },
    id = installation(),
  ) => {
    const { json } = await succeeded(
      request("POST", "/plugin/v1/link-codes", { body: { installation_id: id, server: facts } }),
    );
    return { code: String(json["code"]), claimSecret: String(json["claim_secret"]) };
  };

  const server: Makers["server"] = async (owner, facts) => {
    const { code, claimSecret } = await linkCode(facts);
    const secret = await token(owner, ["servers:link"]);
    const linked = await succeeded(
      request("POST", "/api/v1/servers/link", { token: secret, body: { code } }),
    );
    const claimed = await succeeded(
      request("POST", "/plugin/v1/link-codes/claim", { body: { claim_secret: claimSecret } }),
    );
    return {
      id: String(linked.json["id"]),
      owner,
      credential: String(claimed.json["auth_token"]),
      code,
      claimSecret,
    };
  };

  const report: Makers["report"] = async ({ credential }, overrides = {}) => {
    const body = referencePayload({ local_id: `run-${next()}`, ...overrides });
    const { json } = await succeeded(request("POST", "/plugin/v1/reports", { token: credential, body }));
    return { id: String(json["id"]), shortId: String(json["short_id"]) };
  };

  return { account, token, linkCode, server, report };
}

async function succeeded(pending: Promise<Answer>): Promise<Answer> {
  const answer = await pending;
  if (answer.status >= 300) throw new Error(`Expected success, got ${answer.status}: ${answer.text}`);
  return answer;
}

interface Target {
  readonly agent: Agent;
  readonly port: number;
  readonly method: string;
  readonly path: string;
}

function exchange(
  { agent, port, method, path }: Target,
  { token, body, headers = {} }: Asked,
): Promise<Answer> {
  const sent =
    body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const all: Record<string, string | string[]> = {};
  if (token) all["authorization"] = `Bearer ${token}`;
  if (sent !== undefined) {
    all["content-type"] = "application/json";
    all["content-length"] = String(Buffer.byteLength(sent));
  }
  for (const [name, value] of Object.entries(headers))
    all[name.toLowerCase()] = typeof value === "string" ? value : [...value];
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: "127.0.0.1", port, agent, method, path, headers: all },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: objectIn(text),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(sent);
  });
}

function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** The rows of a list's answer. */
export const rowsOf = ({ json }: Answer): Json[] => (json["data"] ?? []) as Json[];

/** How a list's page ended. */
export const pageOf = ({ json }: Answer): { cursor: string | null; has_more: boolean } =>
  json["page"] as { cursor: string | null; has_more: boolean };
