import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { relinkServer } from "../../../src/actions/server/relink-server.ts";
import { selectServerEvents } from "../../../src/store/health/health-queries.ts";
import { asPerson } from "../../support/as-person.ts";
import { handClock } from "../../support/clock.ts";
import {
  rowsOf,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";

const clock = handClock();
let service: TestService;
let owner: Account;
let token: string;
beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
  owner = await service.account("enterprise");
  token = await service.token(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const iso = (at: number): string => new Date(at).toISOString();
const post = (credential: string, path: string, body: Json, method = "POST") =>
  service.request(method, `/plugin/v1${path}`, { token: credential, body });
const beat = async ({ credential }: LinkedServer, plugin_version: string) => {
  clock.advance(30_000);
  expect(await post(credential, "/heartbeat", { sent_at: iso(clock.now()), plugin_version })).toMatchObject({
    status: 200,
    json: { accepted: true },
  });
};
const run = async (server: LinkedServer, software: Json, flags: string[], finished = clock.now()) =>
  service.report(server, {
    plugin_version: "1.10.3",
    started_at: iso(finished - 600_000),
    finished_at: iso(finished),
    server: software,
    jvm: { flags },
  });
const get = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1/servers/${path}`, { token })).json;
const changes = async ({ id }: LinkedServer): Promise<Json[]> =>
  rowsOf(await service.request("GET", `/api/v1/servers/${id}/events`, { token })).map(({ type, metadata }) =>
    Object.assign({ type }, metadata),
  );
const linkedAs = (facts: Json) => service.server(owner, { name: "Lobby", ...facts });

it("[OUR-SFW-14] another plugin version is one entry of the timeline, and the first is none", async () => {
  const server = await linkedAs({ plugin_version: "1.10.2" });
  await beat(server, "1.10.2");
  expect(await changes(server)).toEqual([]);
  await beat(server, "1.10.3");
  await beat(server, "1.10.3");
  expect(await changes(server)).toEqual([
    { type: "software_changed", what: "plugin_version", from: "1.10.2", to: "1.10.3" },
  ]);
  expect((await get(`${server.id}/software`))["sender"]).toEqual({
    kind: "plugin",
    version: "1.10.3",
    changed_at: iso(clock.now() - 30_000),
  });
});

it("[OUR-SFW-14] a plugin that said nothing of itself when it was linked has no change with its first heartbeat", async () => {
  const server = await linkedAs({});
  await beat(server, "1.10.2");
  expect(await changes(server)).toEqual([]);
});

it("[OUR-SFW-14] of heartbeats that come at once a change is entered once", async () => {
  const server = await linkedAs({ plugin_version: "1" });
  await Promise.all([1, 2, 3, 4].map(() => beat(server, "2")));
  expect(await changes(server)).toHaveLength(1);
});

it("[OUR-SFW-14] a report tells of another game version, build, Java and flag; an older one changes nothing", async () => {
  const server = await linkedAs({ type: "Paper", game_version: "1.21.4", plugin_version: "1.10.3" });
  clock.advance(60_000);
  const before = { type: "paper", type_name: "Paper", build: "60", java_version: "21.0.7", java_vendor: "A" };
  const at = clock.now();
  await run(server, { ...before, game_version: "1.21.4" }, ["-Xmx4G", "-Dsecret=1"]);
  expect(await changes(server)).toEqual([]);
  clock.advance(60_000);
  const after = { ...before, game_version: "1.21.8", build: "147", java_version: "21.0.8" };
  await run(server, after, ["-Xmx8G", "-Dsecret=2"]);
  await run(server, { ...before, game_version: "1.21.4" }, ["-Xmx4G"], at - 1);
  const told = await changes(server);
  expect(told.map(({ what, from, to }) => [what, from, to])).toEqual(
    expect.arrayContaining([
      ["game_version", "1.21.4", "1.21.8"],
      ["server_build", "60", "147"],
      ["java_version", "21.0.7", "21.0.8"],
      ["jvm_flag", "-Xmx4G", "-Xmx8G"],
    ]),
  );
  expect(told).toHaveLength(4);
  expect(await get(`${server.id}/software`)).toMatchObject({
    first_received_at: null,
    server: { type: "paper", version: "1.21.8", build: "147", changed_at: iso(clock.now()) },
    java: { version: "21.0.8", flags: ["-Xmx8G"] },
    plugins: null,
  });
});

it("[OUR-SFW-14] what a late report tells happened when the run ended, and was received with the report", async () => {
  const server = await linkedAs({ type: "paper", game_version: "1.21.4", plugin_version: "1.10.3" });
  clock.advance(60_000);
  const finished = clock.now();
  clock.advance(3 * 3_600_000);
  await run(server, { type: "paper", game_version: "1.21.8" }, [], finished);
  const { data } = await get(`${server.id}/events?type=software_changed`);
  const versions = (data as Json[]).filter(({ metadata }) => (metadata as Json)["what"] === "game_version");
  expect(versions).toMatchObject([{ timestamp: iso(finished) }]);
  const entries = await service.app.db.read(selectServerEvents, server.id, { from: 0, to: clock.now() }, 10);
  for (const { happenedAt, receivedAt } of entries)
    expect([happenedAt, receivedAt]).toEqual([finished, clock.now()]);
});

it("[OUR-SFW-14] a code that links an installation again tells of its update", async () => {
  const installation = "0b2c4a6e-1111-4222-8333-444455556666";
  const first = await service.linkCode({ game_version: "1.21.4" }, installation);
  const linked = await service.request("POST", "/api/v1/servers/link", { token, body: { code: first.code } });
  const id = String(linked.json["id"]);
  const { code } = await service.linkCode({ game_version: "1.21.8" }, installation);
  await (
    await asPerson(service, owner)
  )(relinkServer, { code, server_id: id });
  expect(await changes({ id } as LinkedServer)).toEqual([
    { type: "software_changed", what: "game_version", from: "1.21.4", to: "1.21.8" },
  ]);
});

it("[OUR-SFW-15] what the inventory tells is told once", async () => {
  const server = await linkedAs({ type: "paper", game_version: "1.21.4", plugin_version: "1.10.3" });
  const inventory = (version: string): Json => ({
    server: { type: "paper", version },
    java: { version: "21.0.7" },
  });
  await post(server.credential, "/software", inventory("1.21.4"), "PUT");
  clock.advance(60_000);
  await post(server.credential, "/software", inventory("1.21.8"), "PUT");
  await run(server, { type: "paper", game_version: "1.21.8", build: "147", java_version: "21.0.7+6" }, []);
  clock.advance(60_000);
  await run(server, { type: "paper", game_version: "1.21.9", build: "148", java_version: "21.0.8+9" }, []);
  // Only the inventory's own change, and the build that no inventory knows.
  expect((await changes(server)).map(({ type, subject, what }) => [type, subject ?? what])).toEqual([
    ["software_changed", "server_build"],
    ["server_updated", "version"],
  ]);
});
