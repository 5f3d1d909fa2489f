import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeTokenOfAccount } from "../../src/services/access/revoke-token.ts";
import { selectTokens } from "../../src/store/access/tokens.ts";
import { unlinkServerOfAccount } from "../../src/services/server/unlink-from-account.ts";
import { runCommand } from "../support/command-line.ts";
import { whyPostgresIsSkipped } from "../support/databases.ts";
import type { Json } from "../support/payload.ts";
import { startReplicated, type ReplicatedPostgres } from "../support/postgres-replica.ts";
import { until } from "../support/service-process.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";

const metricsToken = "a-token-of-this-test";

describe.skipIf(whyPostgresIsSkipped() !== null)("a service with a read replica", () => {
  let pair: ReplicatedPostgres;
  let service: TestService;
  let server: LinkedServer;
  let token: string;
  beforeAll(async () => {
    pair = await startReplicated();
    service = await startTestService({
      databaseUrl: pair.primary.url,
      plans: roomyPlans,
      settings: {
        TICKMARK_DATABASE_READ_URL: pair.onReplica(pair.primary.url),
        TICKMARK_METRICS_TOKEN: metricsToken,
      },
    });
    server = await service.server(await service.account());
    token = await service.token(server.owner);
  });
  afterAll(async () => {
    await service.close();
    await pair.stop();
  });

  const metric = async (name: string): Promise<number> => {
    const { text } = await service.request("GET", "/metrics", {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    return Number(new RegExp(`^tickmark_replica_${name} (\\S+)$`, "m").exec(text)?.[1]);
  };
  const isUsed = (): boolean => service.app.replica.readerFor(null) !== service.app.db;
  const pause = (): Promise<unknown> => pair.askReplica("SELECT pg_wal_replay_pause()");
  const resume = async (): Promise<void> => {
    await pair.askReplica("SELECT pg_wal_replay_resume()");
    await until("the replica is used", isUsed);
  };
  const get = (path: string, secret = token) => service.request("GET", `/api/v1${path}`, { token: secret });

  let serial = 0;
  /** The plugin sends an event with a title of its own. */
  const sendEvent = async (credential = server.credential): Promise<string> => {
    const title = `Event ${(serial += 1)}`;
    const event = {
      local_id: title,
      type: "restart_planned",
      category: "custom",
      source: "a plugin",
      severity: "info",
      title,
      timestamp: null,
    };
    const body = { events: [event] };
    const { status } = await service.request("POST", "/plugin/v1/events", { token: credential, body });
    expect(status).toBe(200);
    return title;
  };
  const paths = (): string[] => [`/servers/${server.id}/events`, "/monitoring/events"];
  const titlesAt = async (path: string): Promise<unknown[]> =>
    rowsOf(await get(path)).map(({ title }: Json) => title);

  it("[OUR-STO-202] [OUR-STO-208] shows what the replica has, and what it lacks once it is two seconds behind", async () => {
    await until("the replica is used", isUsed);
    for (const path of paths()) {
      // On a busy machine the two seconds may be over before the list is read: then once more.
      await until(`the answer of ${path} is the replica's`, async () => {
        await resume();
        await pause();
        const title = await sendEvent();
        const isOld = !(await titlesAt(path)).includes(title);
        await until("the event is shown", async () => (await titlesAt(path)).includes(title));
        return isOld;
      });
    }
    expect(await metric("used")).toBe(0);
    expect(await metric("lag_seconds")).toBeGreaterThan(2);
    expect((await service.request("GET", "/readyz")).status).toBe(200);
    await resume();
    await until("the metrics say it", async () => (await metric("used")) === 1);
    expect(service.defects).toEqual([]);
  });

  it("[OUR-STO-206] refuses a revoked token and hides an unlinked server at once, whatever the replica shows", async () => {
    const owner = await service.account();
    const own = await service.server(owner);
    const other = await service.token(owner);
    const title = await sendEvent(own.credential);
    const listed = async (): Promise<number> => rowsOf(await get("/monitoring/events", other)).length;
    await until("the event is on both", async () => {
      const rows = await pair.askReplica(`SELECT 1 FROM server_event WHERE title = '${title}'`);
      return rows.length === 1 && (await listed()) > 0;
    });
    // Linking the server was a change of the account's own.
    const { replica, db } = service.app;
    await until("the account reads from the replica", () => replica.readerFor(owner.id) !== db);
    await pause();
    // As another process does: this one does not know that the account changed something.
    await db.write(unlinkServerOfAccount, own.id, owner.id, Date.now());
    expect(await listed()).toBe(0);
    expect((await get(`/servers/${own.id}/events`, other)).status).toBe(404);
    expect((await get(`/servers/${own.id}/metrics`, other)).status).toBe(404);
    const tokens = await db.read(selectTokens, owner.id, Date.now());
    for (const { id } of tokens) await db.write(revokeTokenOfAccount, owner.id, id, Date.now());
    expect((await get("/monitoring/events", other)).status).toBe(401);
    await resume();
  });

  it("[OUR-CFG-07] [OUR-STO-203] config check says whether the address is that of a replica of the database", async () => {
    const checked = async (readUrl: string): Promise<Json> => {
      const settings = { TICKMARK_DATABASE_URL: pair.primary.url, TICKMARK_DATABASE_READ_URL: readUrl };
      const { stdout } = await runCommand(["config", "check", "--json"], settings);
      const { checks } = JSON.parse(stdout) as { checks: Json[] };
      return checks.find((each) => each["check"] === "replica") ?? {};
    };
    expect(await checked(pair.onReplica(pair.primary.url))).toMatchObject({ state: "ok" });
    const other = await checked(pair.primary.url);
    expect(other).toMatchObject({ state: "failed", words: expect.stringContaining("it is no standby") });
  });

  it("[OUR-STO-209] starts, serves and stops while its replica is away or hangs", async () => {
    await until("the replica is used", isUsed);
    pair.suspend();
    for (const path of paths()) expect((await get(path)).status).toBe(200);
    const lines: string[] = [];
    const second = await startTestService({
      databaseUrl: pair.primary.url,
      plans: roomyPlans,
      settings: { TICKMARK_DATABASE_READ_URL: pair.onReplica(pair.primary.url) },
      logTo: (line) => void lines.push(line),
    });
    const { status } = await second.request("GET", "/api/v1/monitoring/events", { token });
    expect(status).toBe(200);
    expect((await second.request("GET", "/readyz")).status).toBe(200);
    await until("the log says it", () => lines.some((line) => line.includes("The read replica is not used")));
    await second.close();
    expect(second.defects).toEqual([]);
    pair.wake();
    await until("the replica is used", isUsed);
  });
});
