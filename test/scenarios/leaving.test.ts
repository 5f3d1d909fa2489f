import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { deleteAccount } from "../../src/endpoints/web/leaving/delete-account.ts";
import { deleteServer } from "../../src/endpoints/web/servers/delete-server.ts";
import { relinkServer } from "../../src/endpoints/web/servers/relink-server.ts";
import { unlinkServer } from "../../src/endpoints/web/servers/unlink-server.ts";
import { hashPassword } from "../../src/password.ts";
import { asPerson, refusalOf } from "../support/as-person.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../support/service.ts";
import { dayMs, handClock, minuteMs } from "../rest/clock.ts";
import { certify } from "../rest/rows.ts";
import { thingsOf } from "../rest/things.ts";
import { openRaw, type RawDatabase } from "../store/raw-database.ts";

const columns: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT t.name AS "table", c.name AS name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT table_name AS "table", column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema()`,
};

/** `table.column` of every row of the database that holds one of the texts, whatever its column is. */
async function holding(url: string, texts: readonly string[]): Promise<string[]> {
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

eachDatabase((databases) => {
  let service: TestService;
  let url: string;
  const clock = handClock();
  beforeAll(async () => {
    url = await databases.url();
    const monitored = { monitored_servers: 1000 };
    const plans = { ...roomyPlans, pro: { ...roomyPlans.pro, ...monitored } };
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
    const { stores, plans, secrets } = service.door;
    const signal = new AbortController().signal;
    const warn = (_: string, error: unknown): never => {
      throw error;
    };
    const jobs = serviceJobs({ stores, plans, secrets, clock: clock.now, warn, signal });
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
      const rows = (json["data"] as Json[] | undefined)?.map(({ state: _, ...row }) => row);
      answers.push(rows && path !== "metrics" ? { path, rows } : json);
    }
    return answers;
  };

  describe("a server that comes back", () => {
    it("[OUR-LEA-06] [SRV-16] is the same one, and its data answers as before", async () => {
      const owner = await service.account();
      const server = await installed(owner);
      for (let index = 0; index < 5; index += 1) {
        await beat(server.credential, { tps: 20 - index });
        clock.advance(30_000);
      }
      await service.request("POST", "/plugin/v1/events", {
        token: server.credential,
        body: {
          events: [
            {
              local_id: "e1",
              type: "ban",
              category: "moderation",
              source: "Bans",
              severity: "info",
              title: "Out",
              timestamp: new Date(clock.now()).toISOString(),
            },
          ],
        },
      });
      await api(owner, "POST", `/servers/${server.id}/alert-rules`, {
        name: "Low",
        metric: "tps",
        condition: "below",
        threshold: 5,
        duration_minutes: 5,
      });
      const report = await service.report({ ...server, owner, code: "", claimSecret: "" });
      const group = await api(owner, "POST", "/server-groups", { name: "Survival" });
      await api(owner, "PUT", `/servers/${server.id}/group`, { group_id: group.json["id"] });
      const before = [await told(owner, server.id), (await api(owner, "GET", `/servers?owner=me`)).json];
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: server.id });
      expect((await api(owner, "GET", `/servers/${server.id}/status`)).status).toBe(404);
      const { code, claimSecret } = await server.again();
      const back = await link(owner, code);
      expect([back.status, back.json["id"]]).toEqual([201, server.id]);
      expect([await told(owner, server.id), (await api(owner, "GET", `/servers?owner=me`)).json]).toEqual(
        before,
      );
      expect((await api(owner, "GET", `/reports/${report.id}`)).json["server_id"]).toBe(server.id);
      const credential = await claim(claimSecret);
      expect((await beat(credential)).json["accepted"]).toBe(true);
      expect((await beat(server.credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-07] is monitored again only while the plan has room for it", async () => {
      const owner = await service.account("hosting");
      const narrow = { ...service.door.plans.hosting, monitored_servers: 1 };
      const server = await installed(owner);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server.id });
      await installed(owner);
      const { code } = await server.again();
      const result = await service.door.stores.links.use({
        code,
        accountId: owner.id,
        name: null,
        newServerId: service.door.secrets.newId(clock.now()),
        now: clock.now(),
        maxServers: 500,
        monitoredServers: narrow.monitored_servers,
      });
      expect(result).toMatchObject({ kind: "linked", server: { id: server.id, monitoringEnabled: false } });
    });

    it("[OUR-LEA-06] does so up to the last moment of the 30 days; from then on a new one is made", async () => {
      const owner = await service.account();
      const [kept, gone] = [await installed(owner), await installed(owner)];
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: kept.id });
      await ask(unlinkServer, { server_id: gone.id });
      clock.advance(30 * dayMs - 1);
      expect((await link(owner, (await kept.again()).code)).json["id"]).toBe(kept.id);
      clock.advance(1);
      const fresh = await link(owner, (await gone.again()).code);
      expect(fresh.status).toBe(201);
      expect(fresh.json["id"]).not.toBe(gone.id);
    });

    it("[OUR-LEA-04] ends its runs and maintenance when it goes, and its schedule goes on when it is back", async () => {
      const owner = await service.account();
      const { server, target, job } = await thingsOf(service, owner);
      await api(owner, "POST", `/servers/${server}/maintenance`, { duration_minutes: 60 });
      const { autoBenchJobs, maintenance } = service.door.stores;
      await (
        await person(owner)
      )(unlinkServer, { server_id: server });
      expect(await maintenance.find(server)).toBeNull();
      const anyJob = { status: null, targetId: null };
      expect(await autoBenchJobs.list(owner.id, anyJob, null, 10, clock.now())).toEqual([]);
      expect(await autoBenchJobs.claim({ runnerId: "r", agentId: "a", nonce: "n" }, clock.now())).toBeNull();
      const raw = await openRaw(url);
      const [row] = await raw.rows(`SELECT status FROM auto_bench_job WHERE id = '${job}'`);
      const [left] = await raw.rows(
        `SELECT count(*) AS n FROM auto_bench_target WHERE id = '${target}' AND next_run_at IS NOT NULL`,
      );
      await raw.close();
      expect([row?.["status"], Number(left?.["n"])]).toEqual(["cancelled", 0]);
    });
  });

  describe("a server that goes for good", () => {
    it("[OUR-LEA-08] is deleted with everything of it by the job once its time is over, and not before", async () => {
      const owner = await service.account();
      const { server, credential, report, alert } = await thingsOf(service, owner);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server });
      clock.advance(30 * dayMs - minuteMs);
      await retention();
      expect(await holding(url, [server])).not.toEqual([]);
      clock.advance(minuteMs);
      await retention();
      expect(await holding(url, [server, alert])).toEqual([]);
      expect((await api(owner, "GET", `/reports/${report}`)).status).toBe(200);
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-10] [OUR-LEA-02] is deleted at once when its owner says so: no row names it, its reports stay", async () => {
      const owner = await service.account();
      const { server, credential, report, unitTest, alert, rule, target, job, profile, memoryReport } =
        await thingsOf(service, owner);
      expect(await holding(url, [server])).toContain("sample.server_id");
      await (
        await person(owner)
      )(deleteServer, { server_id: server });
      expect(await holding(url, [server, alert, target, profile, memoryReport])).toEqual([]);
      // What was made a moment ago and sent again is told apart by its id for a day.
      expect(await holding(url, [rule])).toEqual(["write_replay.resource_id"]);
      expect(await holding(url, [job])).toEqual([]);
      expect((await api(owner, "GET", `/reports/${report}`)).json["server_id"]).toBeNull();
      expect((await api(owner, "GET", `/unit-tests/${unitTest}`)).status).toBe(200);
      expect(await beat(credential)).toMatchObject({ status: 401, json: { error: "token_revoked" } });
      clock.advance(91 * dayMs);
      await retention();
      expect(await beat(credential)).toMatchObject({ status: 401, json: { error: "invalid_token" } });
    });

    it("[OUR-LEA-09] never comes back once another account linked its installation, and is still deleted in time", async () => {
      const [owner, other] = [await service.account(), await service.account()];
      const server = await installed(owner);
      await beat(server.credential);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server.id });
      const taken = await link(other, (await server.again()).code);
      expect(taken.status).toBe(201);
      expect(taken.json["id"]).not.toBe(server.id);
      expect((await link(owner, (await server.again()).code)).status).toBe(404);
      await (
        await person(other)
      )(unlinkServer, { server_id: String(taken.json["id"]) });
      const third = await link(owner, (await server.again()).code);
      expect(third.status).toBe(201);
      expect([server.id, taken.json["id"]]).not.toContain(third.json["id"]);
      expect(await holding(url, [server.id])).toContain("sample.server_id");
      clock.advance(30 * dayMs);
      await retention();
      expect(await holding(url, [server.id, String(taken.json["id"])])).toEqual([]);
    });
  });

  describe("a relink", () => {
    it("[OUR-LEA-12] [OUR-LEA-14] gives one's own server a new credential: same id, same data, the old one revoked at once", async () => {
      const owner = await service.account();
      const server = await installed(owner);
      await beat(server.credential);
      const other = await installed(owner);
      const before = await told(owner, server.id);
      const ask = await person(owner);
      const { code, claimSecret } = await server.again();
      expect(await refusalOf(ask(relinkServer, { code, server_id: other.id }))).toBe("invalid_state");
      expect(await ask(relinkServer, { code, server_id: server.id })).toMatchObject({ id: server.id });
      expect((await beat(server.credential)).json["error"]).toBe("token_revoked");
      expect(await ask(relinkServer, { code, server_id: server.id })).toMatchObject({ id: server.id });
      expect((await beat(await claim(claimSecret))).json["accepted"]).toBe(true);
      expect((await told(owner, server.id)).slice(1)).toEqual(before.slice(1));
    });

    it("[OUR-LEA-13] takes an installation from another account: unlinked there, told there, a new server here", async () => {
      const [owner, taker] = [await service.account(), await service.account()];
      const { id, credential, again } = await installed(owner);
      await beat(credential);
      const ask = await person(taker);
      const made = await ask(relinkServer, { code: (await again()).code, name: "Mine" });
      expect(made.id).not.toBe(id);
      expect(made).toMatchObject({ name: "Mine", owned_by_you: true });
      expect((await api(owner, "GET", `/servers/${id}/status`)).status).toBe(404);
      expect((await api(taker, "GET", `/servers/${made.id}/metrics`)).json["summary"]).toMatchObject({
        tps: { count: 0 },
      });
      const [notice] = await service.door.stores.notices.inbox(owner.id, null, 10);
      expect(notice).toMatchObject({
        kind: "server_taken",
        message: { title: expect.stringContaining("Lobby was linked to another account") },
      });
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-15] [NEV-04] [SRV-18] is never done by the API: 409 for one's own, 404 for another's, nothing changes", async () => {
      const [owner, other] = [await service.account(), await service.account()];
      const server = await installed(owner);
      const { code } = await server.again();
      expect(await link(owner, code)).toMatchObject({
        status: 409,
        json: { error: "already_linked", server_id: server.id },
      });
      expect((await link(other, code)).status).toBe(404);
      expect((await beat(server.credential)).json["accepted"]).toBe(true);
    });

    it("[OUR-LEA-14] of codes that are guessed ends after sixty in an hour", async () => {
      const ask = await person(await service.account());
      const refusals = new Map<string, number>();
      for (let index = 0; index < 62; index += 1) {
        const code = await refusalOf(ask(relinkServer, { code: "ZZZZZZZZ" }));
        refusals.set(code, (refusals.get(code) ?? 0) + 1);
      }
      expect(Object.fromEntries(refusals)).toEqual({ not_found: 60, rate_limited: 2 });
    });
  });

  describe("while a plugin sends", () => {
    it("[OUR-LEA-11] unlinking and deleting lose nothing and break nothing: stored whole, or refused", async () => {
      const owner = await service.account();
      const ask = await person(owner);
      const answers = new Map<string, number>();
      for (const leave of [unlinkServer, deleteServer]) {
        const { id, credential } = await installed(owner);
        const sending = Array.from({ length: 60 }, async (_, index) => {
          const at = new Date(clock.now() - index * 1000).toISOString();
          const [path, body]: [string, Json] =
            index % 3 === 0
              ? ["heartbeat", { sent_at: at, plugin_version: "1", sample: { sampled_at: at, tps: 20 } }]
              : index % 3 === 1
                ? ["samples", { samples: [{ sampled_at: at, tps: 19 }] }]
                : [
                    "events",
                    {
                      events: [
                        {
                          local_id: `x${index}`,
                          type: "ban",
                          category: "moderation",
                          source: "Bans",
                          severity: "info",
                          title: "Out",
                          timestamp: at,
                        },
                      ],
                    },
                  ];
          const { status, json } = await service.request("POST", `/plugin/v1/${path}`, {
            token: credential,
            body,
          });
          const key = status === 200 ? "200" : `${status} ${String(json["error"])}`;
          answers.set(key, (answers.get(key) ?? 0) + 1);
        });
        await ask(leave, { server_id: id });
        await Promise.all(sending);
        if (leave === deleteServer) expect(await holding(url, [id])).toEqual([]);
      }
      expect(
        [...answers.keys()].filter((key) => !["200", "401 token_revoked", "429 rate_limited"].includes(key)),
      ).toEqual([]);
    });
  });

  describe("an account that is deleted", () => {
    it("[OUR-LEA-16] leaves no row that names it or its servers; a certified report stays, without author", async () => {
      const owner = await service.account();
      const password = "correct horse battery";
      await service.door.stores.accounts.setPasswordHash(owner.id, await hashPassword(password));
      const { server, group, report, unitTest, credential } = await thingsOf(service, owner);
      const other = await installed(owner);
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: other.id });
      const certified = await service.report({ id: server, credential, owner, code: "", claimSecret: "" });
      await certify(service, certified.id);
      await service.door.stores.notices.saveSettings(
        owner.id,
        {
          sealedEmail: null,
          emailVerifiedAt: null,
          sealedChat: null,
          noticesByEmail: true,
          noticesByChat: false,
        },
        clock.now(),
      );
      const named = await holding(url, [owner.id]);
      console.log(`an account stands in ${named.length} columns before it is deleted`);
      expect(named.length).toBeGreaterThan(12);
      const token = await service.token(owner);
      // Those that the suite had refused so far are more than anybody mistypes in a minute.
      clock.advance(2 * minuteMs);
      expect(await refusalOf(ask(deleteAccount, { password: "wrong" }))).toBe("unauthorized");
      await ask(deleteAccount, { password });
      expect(await holding(url, [owner.id, server, other.id, group, owner.email, report, unitTest])).toEqual(
        [],
      );
      expect((await service.request("GET", "/api/v1/token", { token })).json["error"]).toBe("invalid_token");
      expect(await refusalOf(ask(unlinkServer, { server_id: server }))).toBe("unauthorized");
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
      const somebody = await service.token(await service.account("pro", "admin"));
      const left = await service.request("GET", `/api/v1/reports/${certified.id}`, { token: somebody });
      expect(left).toMatchObject({ status: 200, json: { certified: true, server_id: null } });
    });

    it("[OUR-LEA-17] is not the last admin's: of two that go at once one stays", async () => {
      const own = await startTestService({ databaseUrl: await databases.url(), clock: clock.now });
      const admins = [await own.account("free", "admin"), await own.account("free", "admin")];
      const [first, second] = await Promise.all(
        admins.map((account) => own.door.stores.leaving.removeAccount(account.id, clock.now())),
      );
      expect([first, second].filter((gone) => gone)).toHaveLength(1);
      const left = await own.door.stores.accounts.list();
      expect(left.map(({ role }) => role)).toEqual(["admin"]);
      expect(await own.door.stores.leaving.removeAccount(left[0]?.id ?? "", clock.now())).toBe(false);
      await own.close();
    });
  });
}, sharedKinds);
