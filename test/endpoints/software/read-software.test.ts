import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
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
const send = (server: LinkedServer, body: Json) =>
  service.request("PUT", "/plugin/v1/software", { token: server.credential, body });
const get = (path: string, as = token) => service.request("GET", `/api/v1/${path}`, { token: as });
const versions = async (query = "", as = token): Promise<unknown[]> =>
  rowsOf(await get(`monitoring/software${query}`, as)).map(({ part, name, version, versions: of, servers }) =>
    [part, name, version, of, servers].join(" "),
  );

it("[OUR-SFW-16] shows what runs, and when each part of it last changed", async () => {
  const server = await service.server(owner, { game_version: "1.21.4", plugin_version: "1.10.2" });
  const first = clock.now();
  const shop = (version: string) => ({ name: "Shop", version });
  const inventory = {
    server: { type: "paper" },
    java: { version: "21.0.7", flags: ["-Xmx4G"] },
    plugins: [shop("1.0"), { name: "Maps", version: null, enabled: false }],
    settings: { view_distance: 10 },
    files: [{ file: "spigot.yml", sha256: "0".repeat(64) }],
  };
  await send(server, inventory);
  clock.advance(60_000);
  await send(server, {
    ...inventory,
    java: { version: "21.0.7", flags: ["-Xmx8G"] },
    plugins: [shop("1.1"), { name: "Maps", version: null, enabled: false }],
    settings: { view_distance: 7 },
  });
  const changed = iso(clock.now());
  clock.advance(60_000);
  await send(server, { plugins: [shop("1.1")] });
  const { status, json } = await get(`servers/${server.id}/software`);
  expect([status, json]).toEqual([
    200,
    {
      server_id: server.id,
      first_received_at: iso(first),
      received_at: iso(clock.now()),
      server: { type: "paper", name: null, version: "1.21.4", build: null, changed_at: null },
      java: { version: "21.0.7", vendor: null, flags: ["-Xmx8G"], changed_at: changed },
      sender: { kind: "plugin", version: "1.10.2", changed_at: null },
      plugins: [{ name: "Shop", version: "1.1", enabled: true, changed_at: changed }],
      mods: null,
      settings: [{ setting: "view_distance", value: 7, changed_at: changed }],
      files: [{ file: "spigot.yml", changed_at: null }],
    },
  ]);
});

it("[OUR-SFW-16] a server of which nothing is known has no software, another account's is not there, and a plan without monitoring has none", async () => {
  const silent = await service.server(owner, {});
  expect((await get(`servers/${silent.id}/software`)).json).toMatchObject({
    first_received_at: null,
    server: { type: null, changed_at: null },
    sender: { kind: "plugin", version: null },
    plugins: null,
    settings: [],
    files: null,
  });
  const stranger = await service.token(await service.account("enterprise"));
  expect((await get(`servers/${silent.id}/software`, stranger)).status).toBe(404);
  expect(await versions("", stranger)).toEqual([]);
  const free = await service.token(await service.account("free"));
  expect((await get("monitoring/software", free)).json["error"]).toBe("plan_required");
});

it("[OUR-SFW-17] versions of the fleet: what differs first, the oldest first, and of switched off files none", async () => {
  const fleet = await service.account("enterprise");
  const own = await service.token(fleet);
  const servers = await Promise.all(["a", "b", "c"].map((name) => service.server(fleet, { name })));
  const [a, b, c] = servers as [LinkedServer, LinkedServer, LinkedServer];
  const plugins = (shop: string, chat: string) => ({
    server: { type: "paper", version: "1.21.8", build: "60" },
    plugins: [
      { name: "Shop", version: shop },
      { name: "Chat", version: chat },
      { name: "Off", version: chat, enabled: false },
    ],
  });
  await send(a, plugins("2.10.0", "1"));
  await send(b, plugins("2.9.1", "1"));
  await send(c, { ...plugins("2.10.0", "1"), mods: [{ name: "Shop", version: "1" }] });
  expect(await versions("", own)).toEqual([
    "plugin Shop 2.9.1 2 1",
    "plugin Shop 2.10.0 2 2",
    "server paper 1.21.8 1 3",
    "plugin Chat 1 1 3",
    "mod Shop 1 1 1",
  ]);
  expect(await versions("?name=shop&part=plugin", own)).toEqual([
    "plugin Shop 2.9.1 2 1",
    "plugin Shop 2.10.0 2 2",
  ]);
  const { json } = await get("monitoring/software?limit=1", own);
  expect(json).toMatchObject({
    data: [{ name: "Shop", version: "2.9.1", on: [{ server_id: b.id, name: "b" }] }],
    more: 4,
    servers: 3,
    servers_left_out: 0,
  });
  expect((await get("monitoring/software?limit=101", own)).status).toBe(400);
  // A build that is not known is no other version.
  const d = await service.server(fleet, { name: "d", type: "paper", game_version: "1.21.8" });
  expect(await versions("?part=server", own)).toEqual(["server paper 1.21.8 1 3", "server paper 1.21.8 1 1"]);
  await send(d, { server: { type: "paper", version: "1.21.8", build: "147" } });
  expect(await versions("?part=server", own)).toEqual(["server paper 1.21.8 2 3", "server paper 1.21.8 2 1"]);
});

it("[OUR-SFW-19] a row names five servers, and a fleet of more servers than are read at once is whole", async () => {
  const fleet = await service.account("enterprise");
  for (let index = 0; index < 23; index += 1) {
    // Of two tokens of one moment none is the newer one.
    clock.advance(1);
    const server = await service.server(fleet, { name: `s${index}` });
    await send(server, { plugins: [{ name: "Shop", version: "1" }] });
  }
  // The plan covers the newest 20 tokens, and each of these servers was linked with one of its own.
  clock.advance(1000);
  const own = await service.token(fleet);
  const { json } = await get("monitoring/software?name=Shop", own);
  expect(json).toMatchObject({ servers: 23, data: [{ servers: 23 }] });
  expect((json["data"] as Json[])[0]?.["on"]).toHaveLength(5);
});
