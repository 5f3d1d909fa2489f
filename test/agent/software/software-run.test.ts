import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AgentState } from "../../../src/agent/state/state.ts";
import { jar } from "../../support/jars.ts";
import { until } from "../../support/service-process.ts";
import { roomyPlans, rowsOf, startTestService, type Json, type TestService } from "../../support/service.ts";
import { gameServer, type GameServer } from "../game-server.ts";

const main = join(import.meta.dirname, "../../../dist/main.js");
const folder = mkdtempSync(join(tmpdir(), "tickmark-software-run-"));
let game: GameServer;
let service: TestService;
let agent: ChildProcess | null = null;
beforeAll(async () => {
  game = await gameServer();
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  agent?.kill("SIGKILL");
  game.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const plugin = (file: string, name: string, version: string): void =>
  writeFileSync(join(game.folder, "plugins", file), jar("plugin.yml", { name, version }));

it("[OUR-SFW-13] a real agent tells of a plugin that was added, one that was removed and one that was updated between two boots", async () => {
  const owner = await service.account("enterprise");
  const token = await service.token(owner);
  const { id, credential } = await service.server(owner);
  const get = async (path: string) => service.request("GET", `/api/v1/servers/${id}${path}`, { token });
  game.configure(25_575, "a console's secret", false);
  const properties = join(game.folder, "server.properties");
  const plain = readFileSync(properties, "utf8");
  mkdirSync(join(game.folder, "plugins"));
  plugin("MarketStalls-2.10.0.jar", "MarketStalls", "2.10.0");
  plugin("OldChat.jar", "OldChat", "1.4");
  plugin("Maps.jar", "Maps", "3.1");
  writeFileSync(properties, `${plain}view-distance=10\n`);
  const boots = (): void => {
    game.log("Starting minecraft server version 1.21.8");
    game.log('Done (3.141s)! For help, type "help"');
  };
  boots();
  const state = new AgentState(join(folder, "state"));
  await state.prepare();
  const url = `http://127.0.0.1:${service.port}`;
  await state.keepLink({ url, server_id: id, auth_token: credential, server: { directory: game.folder } });
  const environment = { env: { PATH: process.env["PATH"] ?? "" }, stdio: "ignore" } as const;
  agent = spawn(
    process.execPath,
    [main, "agent", "run", "--state", state.folder, "--every", "0.5"],
    environment,
  );
  const software = async (): Promise<Json> => (await get("/software")).json;
  const named = (list: unknown) => (list as Json[]).map(({ name, version }) => `${name} ${version}`);
  await until("the first inventory", async () => {
    const { plugins, java } = await software();
    return plugins !== null && (!game.java || (java as Json)["flags"] !== null);
  });
  expect(named((await software())["plugins"])).toEqual(["Maps 3.1", "MarketStalls 2.10.0", "OldChat 1.4"]);
  expect(await software()).toMatchObject({
    server: { version: "1.21.8", changed_at: null },
    settings: [{ setting: "view_distance", value: 10, changed_at: null }],
  });

  const running = await game.start();
  const over = once(running, "exit");
  running.kill("SIGKILL");
  await over;
  rmSync(join(game.folder, "plugins", "OldChat.jar"));
  rmSync(join(game.folder, "plugins", "MarketStalls-2.10.0.jar"));
  plugin("MarketStalls-2.10.1.jar", "MarketStalls", "2.10.1");
  plugin("NewChat.jar", "NewChat", "0.9");
  writeFileSync(properties, `${plain}view-distance=7\n`);
  await game.start(96);
  boots();
  const told = async (): Promise<Json[]> =>
    rowsOf(await get("/events?limit=100")).filter(
      // Where the kill is seen before the new start, the server was down meanwhile.
      ({ source, metadata, type }) => source === "tickmark" && metadata !== null && type !== "health_changed",
    );
  const changed = async (): Promise<string[]> =>
    (await told())
      .map(({ type, metadata }) => {
        const { subject, from, to } = metadata as Json;
        return `${String(type)}: ${String(subject)} ${String(from)} > ${String(to)}`;
      })
      .filter((line) => !line.includes("server.properties"))
      .toSorted();
  const flags = game.java
    ? ["java_changed: -Xms -Xms64m > -Xms96m", "java_changed: -Xmx -Xmx64m > -Xmx96m"]
    : [];
  const expected = [
    ...flags,
    "plugin_added: NewChat null > 0.9",
    "plugin_removed: OldChat 1.4 > null",
    "plugin_updated: MarketStalls 2.10.0 > 2.10.1",
    "setting_changed: view_distance 10 > 7",
  ];
  await until("all changes", async () => (await changed()).length >= expected.length);
  expect(await changed()).toEqual(expected);
  const now = await software();
  expect(named(now["plugins"])).toEqual(["Maps 3.1", "MarketStalls 2.10.1", "NewChat 0.9"]);
  const changedAt = (now["plugins"] as Json[]).map((each) => each["changed_at"] !== null);
  expect(changedAt).toEqual([false, true, true]);

  // While it runs a file appears, and is told of once it stays as it is.
  plugin("Late.jar", "Late", "1");
  await until("the late one", async () => (await changed()).includes("plugin_added: Late null > 1"));
  expect(service.defects).toEqual([]);
});
