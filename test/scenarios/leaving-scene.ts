import { afterAll, beforeAll, expect } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { asPerson } from "../support/as-person.ts";
import type { Databases } from "../support/databases.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../support/service.ts";
import { handClock } from "../support/clock.ts";
import { openRaw, type RawDatabase } from "../store/engine/raw-database.ts";

const columns: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT t.name AS "table", c.name AS name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT table_name AS "table", column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema()`,
};

/** `table.column` of every row of the database that holds one of the texts, whatever its column is. */
export async function holding(url: string, texts: readonly string[]): Promise<string[]> {
  const raw = await openRaw(url);
  try {
    const found: string[] = [];
    for (const { table, name } of await raw.rows(columns[raw.dialect])) {
      const value = `CAST("${name}" AS TEXT)`;
      const any = texts.map((text) => `${value} LIKE '%${text}%'`).join(" OR ");
      const [row] = await raw.rows(`SELECT count(*) AS n FROM "${table}" WHERE ${any}`);
      if (Number(row?.["n"]) > 0) found.push(`${table}.${name}`);
    }
    return found;
  } finally {
    await raw.close();
  }
}

const installation = "0b1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11";
let serial = 0;

/** A service of one suite, and what people and plugins do with it. */
export function leavingScene(databases: Databases) {
  let service: TestService;
  let url: string;
  const clock = handClock();
  beforeAll(async () => {
    url = await databases.url();
    const plans = { ...roomyPlans, pro: { ...roomyPlans.pro, monitored_servers: 1000 } };
    service = await startTestService({ plans, clock: clock.now, databaseUrl: url });
  });
  afterAll(async () => {
    expect(service.defects).toEqual([]);
    await service.close();
  });

  const person = (account: Account) => asPerson(service, account);
  const api = async (account: Account, method: string, path: string, body?: Json) =>
    service.request(method, `/api/v1${path}`, { token: await service.token(account), ...(body && { body }) });
  const link = (account: Account, code: string) => api(account, "POST", "/servers/link", { code });
  const claim = async (claimSecret: string): Promise<string> => {
    const answer = await service.request("POST", "/plugin/v1/link-codes/claim", {
      body: { claim_secret: claimSecret },
    });
    return String(answer.json["auth_token"]);
  };
  const beat = (credential: string, values: Json = {}) => {
    const sent_at = new Date(clock.now()).toISOString();
    const body = { sent_at, plugin_version: "1.10.2", sample: { sampled_at: sent_at, tps: 20, ...values } };
    return service.request("POST", "/plugin/v1/heartbeat", { token: credential, body });
  };
  const retention = async (): Promise<void> => {
    const { db, plans, secrets } = service.app;
    const signal = new AbortController().signal;
    const warn = (_: string, error: unknown): never => {
      throw error;
    };
    const jobs = serviceJobs({ db, plans, secrets, clock: clock.now, warn, signal });
    await jobs.find(({ name }) => name === "retention")?.run(null);
  };

  /** A server of an installation that asks for further codes. */
  const installed = async (
    owner: Account,
    id = installation.replace(/^.{8}/, String(10_000_000 + (serial += 1))),
  ) => {
    const first = await service.linkCode({ name: "Lobby" }, id);
    const linked = await link(owner, first.code);
    return {
      id: String(linked.json["id"]),
      credential: await claim(first.claimSecret),
      again: () => service.linkCode({ name: "Renamed" }, id),
    };
  };

  /** What the documented API says of a server, but for what time and silence make of its state. */
  const told = async (owner: Account, id: string): Promise<Json[]> => {
    const answers: Json[] = [];
    for (const path of [
      "metrics",
      "events",
      "alert-rules",
      "event-alert-rules",
      "profiles/summaries",
      "memory-reports",
    ]) {
      const { status, json } = await api(owner, "GET", `/servers/${id}/${path}`);
      expect([path, status]).toEqual([path, 200]);
      const rows = (json["data"] as Json[] | undefined)?.map(({ state: _state, ...row }) => row);
      answers.push(rows && path !== "metrics" ? { path, rows } : json);
    }
    return answers;
  };

  return {
    get service() {
      return service;
    },
    get url() {
      return url;
    },
    clock,
    person,
    api,
    link,
    claim,
    beat,
    retention,
    installed,
    told,
  };
}
