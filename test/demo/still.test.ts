import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dayMs, secondMs } from "../../src/core/time.ts";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readPoints } from "../../src/store/metric/series-points.ts";
import { runnerClient } from "../../src/outbound/runner-client.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { requestText } from "../support/raw-client.ts";
import { caller, Demo, removeDirectories, rowsOf, type Ended, type Line } from "./child.ts";
import { idOf, rows } from "./monitored.ts";
import { patience } from "../support/patience.ts";

const portAndSecond = { TICKMARK_PORT: "0", TICKMARK_STOP_SECONDS: "1" };

/** What is read until it holds; few calls, for plans have few. */

afterAll(removeDirectories);

describe("tickmark demo --still --data", () => {
  let first: Demo;
  let line: Line;
  let mail: MailServer;
  let states: unknown[];
  const inFirst = (name: string): string => join(first.temporary, "kept", name);
  const rowsIn = <Row>(statement: string): Row[] => {
    const database = openSqliteConnection(inFirst("demo-1.db"), { readonly: true });
    const rows = database.prepare<[], Row>(statement).all();
    database.close();
    return rows;
  };

  beforeAll(async () => {
    mail = await startMailServer();
    first = new Demo(["--json", "--still", "--data", "kept"], {
      ...portAndSecond,
      TICKMARK_SMTP_URL: mail.url,
    });
    line = await first.line();
    const call = caller(line, "enterprise");
    const ids = line.servers.filter(({ account }) => account === "enterprise").map(({ id }) => id);
    states = await Promise.all(
      ids.map(async (id) => (await call("GET", `/servers/${id}/status`)).body["state"]),
    );
  });
  afterAll(async () => {
    await first.end("SIGKILL");
    await mail.close();
  });

  it("[OUR-DEM-19] has an event alert for every plan with monitoring, and no other but of servers that went silent", async () => {
    for (const plan of ["pro", "hosting", "enterprise", "admin"] as const) {
      const alerts = await rows(line, plan, "/alert-events");
      const events = alerts.filter(({ kind }) => kind === "event");
      expect(events.length).toBeGreaterThan(0);
      for (const alert of events) expect(alert).toMatchObject({ status: "resolved" });
      // Nothing is sent after the start: where that took a minute and more, the first servers are offline already.
      for (const alert of alerts.filter(({ kind }) => kind !== "event"))
        expect(alert).toMatchObject({ metric: "offline" });
    }
  });

  it("[OUR-DEM-20] sends the messages of one account to the address of its settings, and no other", async () => {
    const alert = await vi.waitFor(
      async () => {
        const found = (await rows(line, "hosting", "/alert-events")).find(({ kind }) => kind === "event");
        expect(found?.["delivery"]).toMatchObject({ email: { status: "sent", attempts: 1 } });
        return found;
      },
      { ...patience, interval: 500 },
    );
    const ofEvent = mail.mails.filter((each) =>
      readMail(each).subject.includes(`${String(alert?.["rule_name"])} on Foundry SMP`),
    );
    expect(ofEvent.map(({ recipients }) => recipients)).toEqual([["alerts@demo.tickmark.example"]]);
    const others = mail.mails.filter((each) => !ofEvent.includes(each)).map(readMail);
    for (const { subject } of others) expect(subject).toContain("Server is down on ");
  });

  it("[OUR-DEM-16] refuses Free what its plan lacks", async () => {
    for (const read of ["metrics", "events"]) {
      const { status, body } = await caller(line, "free")("GET", `/servers/${idOf(line, "Attic")}/${read}`);
      expect({ read, status, error: body["error"] }).toEqual({ read, status: 403, error: "plan_required" });
    }
  });

  it("[OUR-AUT-23] under --still nobody takes a job but who has the runner's key", async () => {
    const call = caller(line, "pro");
    const [target] = rowsOf(await call("GET", "/auto-bench/targets"));
    const launched = await call("POST", `/auto-bench/targets/${String(target?.["id"])}/run-now`, {});
    expect(launched).toMatchObject({ status: 202, body: { status: "queued" } });
    const runner = runnerClient(line.base_url, line.runner_key);
    const job = await runner.claim("a test");
    expect(job?.id).toBe(launched.body["job_id"]);
    expect(await runner.claim("a test")).toBeNull();
  });

  describe("after its end", () => {
    let firstEnd: Ended & { afterMs: number };
    let second: Demo;
    let words: string;

    beforeAll(async () => {
      firstEnd = await first.endHeldUp(
        "SIGINT",
        line,
        requestText("POST", "/plugin/v1/link-codes", {}, "{", 9),
      );
      second = new Demo(["--still", "--port", "0", "--data", inFirst("")]);
      words = await second.printed();
    });
    afterAll(() => second.end("SIGKILL"));

    it("[OUR-DEM-06] has seen each server when its last sample was, and hears of none after that", () => {
      const seen = rowsIn<{ name: string; heartbeat: number | null; measured: number | null }>(
        `SELECT s.name, s.last_heartbeat AS heartbeat, max(m.sampled_at) AS measured
          FROM server AS s LEFT JOIN sample AS m ON m.server_id = s.id GROUP BY s.id`,
      );
      expect(seen).toHaveLength(16);
      for (const { name, heartbeat, measured } of seen) expect(heartbeat, name).toBe(measured);
      expect(states.filter((state) => state === "never_seen")).toHaveLength(1);
    });

    it("[OUR-DEM-28] has every server linked before its first sample and report", () => {
      const late = rowsIn<{ name: string }>(
        `SELECT s.name FROM server AS s JOIN account AS a ON a.id = s.account_id
          WHERE s.linked_at < a.created_at
            OR s.linked_at >= (SELECT min(sampled_at) FROM sample WHERE server_id = s.id)
            OR s.linked_at >= (SELECT min(finished_at) FROM report WHERE server_id = s.id)`,
      );
      expect(late).toEqual([]);
    });

    it("[OUR-DEM-07] [OUR-PRC-26] ends in time, keeps its database, and makes a new one beside it at the next start", async () => {
      expect(firstEnd.status).toBe(0);
      expect(firstEnd.afterMs).toBeLessThan(3500);
      const kept = readFileSync(inFirst("demo-1.db"));
      expect(words).toContain(inFirst("demo-2.db"));
      expect((await second.end()).status).toBe(0);
      expect(readFileSync(inFirst("demo-1.db")).equals(kept)).toBe(true);
      expect(readdirSync(inFirst("")).filter((name) => name.endsWith(".db"))).toEqual([
        "demo-1.db",
        "demo-2.db",
      ]);
    });

    it("[OUR-DEM-08] fills the last 24 hours at 30 s for every monitored server, but for the time it was cut off, down or hung", async () => {
      const servers = rowsIn<{ id: string; name: string }>("SELECT id, name FROM server");
      const [{ newest = 0 } = {}] = rowsIn<{ newest: number }>(
        "SELECT max(sampled_at) AS newest FROM sample",
      );
      const start = newest + 30 * secondMs;
      // Some are in blocks already: the demo's jobs begin soon after its start.
      const db = openSqlite(inFirst("demo-1.db"));
      const counts = await Promise.all(
        servers.map(async ({ id, name }) => {
          let count = 0;
          for await (const { times } of readPoints(db, id, start - dayMs, start, ["tps"]))
            count += times.length;
          return { name, count };
        }),
      );
      await db.close();
      const ofName = Object.fromEntries(counts.map(({ name, count }) => [name, count]));
      expect(ofName).toMatchObject({
        Backyard: 0,
        "Spare Blade": 0,
        "Evergreen Survival": 2880 - 42,
        Archipelago: 2880,
        Lighthouse: 2880 - 76,
        Quarry: 2880 - 24,
      });
      expect(counts.filter(({ count }) => count > 2800)).toHaveLength(13);
    });

    it("[OUR-DEM-14] tells a person the address, a sign-in, a token, one curl line and one for an MCP client", () => {
      const token = /tkm_[0-9A-Za-z]{49}/.exec(words)?.[0] ?? "missing";
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(words)?.[0] ?? "missing";
      expect(words).toContain(`Dashboard  ${address}/sign-in\n`);
      expect(words).toMatch(/Sign in {4}enterprise@demo\.tickmark\.example {2}\S{22}\n/);
      expect(words).toContain(`curl -H "Authorization: Bearer ${token}" ${address}/api/v1/servers\n`);
      expect(words).toContain(
        `claude mcp add --transport http tickmark ${address}/mcp --header "Authorization: Bearer ${token}"\n`,
      );
    });
  });
});
