import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { propertiesOf } from "../../src/agent/install/server-properties.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import { ManagementLink, managementSource } from "../../src/agent/sources/management.ts";
import { certificateOf } from "../support/certificates.ts";
import { until } from "../support/service-process.ts";
import { installWith } from "./install.ts";
import { machineTree, put } from "./machine-tree.ts";
import { startManagementServer, type ManagementServer } from "./management-server.ts";

const secret = "aB3".repeat(13) + "z";
const anna = { id: "853c80ef-3c37-49fd-aa49-938b674adae6", name: "Anna" };
const addressOf = (port: number, isTls = false) => ({ host: "127.0.0.1", port, secret, isTls });
const signal = () => AbortSignal.timeout(10_000);

let server: ManagementServer;
let link: ManagementLink;
beforeEach(async () => {
  server = await startManagementServer(secret);
  link = new ManagementLink(addressOf(server.port));
});
afterEach(async () => {
  link.close();
  await server.close();
});

it("[OUR-AGT-330] the number of players comes from the protocol, of which no name leaves the reader", async () => {
  server.players = [anna, { ...anna, name: "Ben" }];
  const source = managementSource(link);
  expect(await source.read(0, signal())).toEqual({ measured: { player_count: 2 } });
  expect(server.calls).toEqual(["rpc.discover", "minecraft:server/status"]);
  expect(await source.check(signal())).toEqual([
    {
      able: true,
      about: "management protocol",
      says: `Answers on port ${server.port} (2 players): starts, stops and bans are known without the log.`,
    },
  ]);
});

it("[OUR-AGT-330] a wrong secret and a port that is closed are said, without the secret", async () => {
  const wrong = new ManagementLink({ ...addressOf(server.port), secret: "another" });
  const closed = new ManagementLink(addressOf(1));
  for (const one of [wrong, closed]) {
    const [finding] = await managementSource(one).check(signal());
    expect(finding).toMatchObject({ able: false, about: "management protocol" });
    expect(finding?.says).toMatch(/takes no connection on its management port .*management-server-secret/);
    expect(finding?.says).not.toContain("another");
    one.close();
  }
  expect(server.refused()).toBeGreaterThan(0);
});

it("[OUR-AGT-330] after the server was gone, or started anew, the connection is made again", async () => {
  let elapsed = 0;
  const own = new ManagementLink(addressOf(server.port), Date.now, () => elapsed);
  const connected = (many: number) =>
    until(`${many} connections`, () => {
      own.facts(Date.now());
      return server.calls.filter((method) => method === "rpc.discover").length >= many;
    });
  await connected(1);
  server.drop();
  await until("lost", () => own.facts(Date.now()).length === 0 && server.connections() === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.connections()).toBe(0);
  elapsed += 5000;
  await connected(2);
  own.close();
});

it("[OUR-AGT-330] a protocol that is on and cannot be used says what is missing", async () => {
  const off = new ManagementLink(null);
  expect(await managementSource(off, "switch").check(signal())).toEqual([]);
  for (const lacks of ["port", "secret"] as const)
    expect(await managementSource(off, lacks).check(signal())).toMatchObject([
      { able: false, says: expect.stringContaining(`management-server-${lacks}`) },
    ]);
});

it("[OUR-AGT-330] a server with a key of its own speaks TLS", async () => {
  const secure = await startManagementServer(secret, certificateOf({ name: "game" }));
  const own = new ManagementLink(addressOf(secure.port, true));
  expect(await own.players(signal())).toBe(0);
  own.close();
  await secure.close();
});

/** Reads the log and the protocol as the agent does, until so many events are there. */
async function events(source: ReturnType<typeof logSource>, many: number): Promise<readonly object[]> {
  const found: object[] = [];
  await until(`${many} events`, async () => {
    const { events: more = [], announced } = await source.read(Date.now() + 4000, signal());
    found.push(...more, ...(announced ? [{ announced: announced.what }] : []));
    return found.length >= many;
  });
  return found;
}

it("[OUR-AGT-331] starts, stops and bans are known without a log, and in its own words no chat can write", async () => {
  const directory = machineTree({});
  const install = installWith({ directory, log: join(directory, "logs/latest.log") });
  const source = logSource(install, { management: link });
  await source.read(Date.now(), signal());
  await until("connected", () => server.calls.length > 0);
  server.notify("server/started");
  server.notify("players/joined", anna);
  server.notify("bans/added", { player: anna, reason: "x-ray at 192.0.2.7", source: "Ben" });
  server.notify("bans/added", { player: { ...anna, name: "Cid" }, expires: "2026-12-24T00:00:00Z" });
  server.notify("ip_bans/added", { ip: "192.0.2.7", reason: "spam", source: "Server" });
  server.notify("bans/removed", anna);
  const first = await events(source, 6);
  expect(first).toContainEqual({ announced: "started" });
  expect(first).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ type: "server_start" }),
      expect.objectContaining({ type: "ban", title: expect.stringContaining("Anna") }),
      expect.objectContaining({ type: "tempban", title: expect.stringContaining("Cid") }),
      expect.objectContaining({ type: "ip_ban" }),
      expect.objectContaining({ type: "unban", title: expect.stringContaining("Anna") }),
    ]),
  );
  expect(JSON.stringify(first)).not.toContain("192.0.2.7");
  expect(JSON.stringify(first)).not.toContain("unverified");
  server.notify("server/stopping");
  expect(await events(source, 2)).toMatchObject([{ type: "server_stop" }, { announced: "stopping" }]);
  await source.close();
});

it("[OUR-AGT-332] an act and a stop that the log tells too are one event each", async () => {
  const directory = machineTree({});
  put(directory, "logs/latest.log", "");
  const log = join(directory, "logs/latest.log");
  const source = logSource(installWith({ directory, log }), { management: link });
  await source.read(Date.now(), signal());
  await until("connected", () => server.calls.length > 0);
  const line = (text: string): void => {
    const time = new Date().toTimeString().slice(0, 8);
    appendFileSync(log, `[${time}] [Server thread/INFO]: ${text}\n`);
  };
  line("Starting minecraft server version 1.21.9");
  line('Done (2.500s)! For help, type "help"');
  server.notify("server/started");
  server.notify("bans/added", { player: anna, reason: "x-ray", source: "Server" });
  line("Banned Anna: x-ray");
  line("Banned Ben: grief");
  server.notify("server/stopping");
  line("Stopping the server");
  const types: string[] = [];
  for (let time = 0; time < 20; time += 1) {
    const { events: more = [] } = await source.read(Date.now() + 4000, signal());
    types.push(...more.map(({ type, title }) => (type === "ban" ? title : type)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(types.toSorted()).toEqual(["Anna was banned", "Ben was banned", "server_start", "server_stop"]);
  await source.close();
});

it("[OUR-AGT-330] the settings are the game's; without a fixed port or a secret the protocol is not used", () => {
  const of = (text: string) => {
    const pairs = text.split(" ").map((pair) => pair.split("=") as [string, string]);
    const { management, managementLacks } = propertiesOf(
      new Map(pairs.map(([name, value]) => [`management-server-${name}`, value])),
    );
    return management ?? managementLacks;
  };
  expect(of("enabled=false port=25585")).toBe("switch");
  expect(of("enabled=true port=0 secret=a")).toBe("port");
  expect(of("enabled=true port=25585 secret=")).toBe("secret");
  expect(of("enabled=true port=25585 secret=a host=0.0.0.0")).toEqual({
    host: "127.0.0.1",
    port: 25_585,
    secret: "a",
    isTls: true,
  });
  expect(of("enabled=true port=25585 secret=a host=localhost tls-enabled=false")).toMatchObject({
    host: "localhost",
    isTls: false,
  });
});
