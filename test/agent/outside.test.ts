import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AgentState } from "../../src/agent/state/state.ts";
import { makeFleet } from "../support/fleet.ts";
import { sharedData } from "../support/shared-data.ts";
import { startServiceProcess, until } from "../support/service-process.ts";
import { roomyPlans, rowsOf, startTestService, type Json, type TestService } from "../support/service.ts";
import { gameServer, type GameServer } from "./game-server.ts";
import { startRconServer, type RconServer } from "./rcon-server.ts";

const main = join(import.meta.dirname, "../../dist/main.js");
const folder = mkdtempSync(join(tmpdir(), "tickmark-agent-"));
const recorded = sharedData("rcon/answers.txt");
const password = "a console's secret, never shown";
let game: GameServer;
let rcon: RconServer;
const children: ChildProcess[] = [];
let said = "";

beforeAll(async () => {
  rcon = await startRconServer({ password, bytewise: true });
  const [mspt = "", tps = ""] = recorded === null ? [] : readFileSync(recorded, "utf8").split("\n");
  rcon.answers.set("mspt", mspt).set("tps", tps);
  rcon.answers.set("list", "There are 3 of a max of 20 players online: Ada, Grace, Linus");
  game = await gameServer();
  game.configure(rcon.port, password, false);
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  game.close();
  await rcon.close();
  rmSync(folder, { recursive: true, force: true });
  expect(said).not.toContain(password);
});

function tickmark(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, "agent", ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  children.push(child);
  return child;
}

/** What it printed, once it ended. */
async function output(child: ChildProcess): Promise<{ status: number; text: string }> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [status] = (await once(child, "close")) as [number];
  said += text;
  return { status, text };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const over = once(child, "exit");
  child.kill(signal);
  return (await over)[0];
}

it.skipIf(recorded === null)(
  "[OUR-AGG-32] [OUR-AGG-33] [OUR-AGT-01] [OUR-AGT-02] [OUR-AGT-03] [OUR-AGT-06] [OUR-AGT-09] [OUR-AGT-15] [OUR-AGT-17] [OUR-AGT-20] [OUR-AGT-200] a real process is linked, watched, stopped, killed and paused, as the service sees it",
  async () => {
    let ahead = 0;
    const service: TestService = await startTestService({
      plans: roomyPlans,
      clock: () => Date.now() + ahead,
    });
    const token = await service.token(await service.account("pro"));
    const state = join(folder, "linked");
    const linking = tickmark(
      "link",
      "--json",
      "--state",
      state,
      "--directory",
      game.folder,
      "--url",
      `http://127.0.0.1:${service.port}`,
    );
    if (!linking.stdout) throw new Error("No output.");
    const lines = createInterface({ input: linking.stdout })[Symbol.asyncIterator]();
    const { code } = JSON.parse(String((await lines.next()).value)) as { code: string };
    const linked = await service.request("POST", "/api/v1/servers/link", { token, body: { code } });
    expect(linked.status).toBe(201);
    const result = JSON.parse(String((await lines.next()).value)) as Json;
    expect(result).toMatchObject({ linked: true, server_id: linked.json["id"] });
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(statSync(join(state, "link.json")).mode & 0o777).toBe(0o600);

    const status = async (): Promise<Json> =>
      (await service.request("GET", `/api/v1/servers/${String(linked.json["id"])}/status`, { token })).json;
    const is = (wanted: string) => until(wanted, async () => (await status())["state"] === wanted);
    const starts = (): void => {
      game.log("Starting minecraft server version 1.21.8");
      game.log('Done (3.141s)! For help, type "help"');
    };
    starts();
    const agent = tickmark("run", "--state", state, "--every", "0.5");
    await is("running");
    expect(rcon.commands).toEqual([]);
    game.configure(rcon.port, password);
    await until("all figures", async () => {
      const current = (await status())["current"] as Json;
      return ["cpu_usage", "tps", "mspt", "rss_mb"].every((field) => current[field] !== null);
    });
    const current = (await status())["current"] as Json;
    expect(current).toMatchObject({ tps: 18.6, mspt: 7.7, player_count: 3 });
    expect(current["rss_mb"]).toBeGreaterThan(20);
    const { bavail, bsize } = statfsSync(game.folder);
    expect(Math.abs(Number(current["disk_free_mb"]) / ((bavail * bsize) / 1024 ** 2) - 1)).toBeLessThan(0.01);
    if (game.java) {
      expect(current["ram_used_mb"]).toBeGreaterThan(15);
      expect(current["ram_max_mb"]).toBeGreaterThan(50);
    }

    const checked = await output(tickmark("check", "--json", "--state", state));
    expect(checked.status).toBe(0);
    const { findings } = JSON.parse(checked.text) as { findings: { able: boolean; about: string }[] };
    const able = findings.filter((finding) => finding.able).map(({ about }) => about);
    expect(able).toEqual(expect.arrayContaining(["server", "RCON", "latest.log", "service"]));
    const saved = sharedData("spark/uUrbLpnMju.sparkprofile");
    if (saved !== null) game.keep(saved, "plugins/spark/evening.sparkprofile");
    const collected = await output(tickmark("collect", "--state", state));
    expect(collected.status).toBe(game.java || saved !== null ? 0 : 1);
    const listed = async (what: string): Promise<Json[]> => {
      const path = `/api/v1/servers/${String(linked.json["id"])}/${what}`;
      return rowsOf(await service.request("GET", path, { token }));
    };
    expect(await listed("memory-reports")).toHaveLength(game.java ? 1 : 0);
    expect(await listed("profiles/summaries")).toHaveLength(saved === null ? 0 : 1);

    game.log("Stopping the server");
    const stoppedFrom = performance.now();
    await is("stopped");
    console.log(`stopped ${Math.round(performance.now() - stoppedFrom)} ms after the line in the log`);
    await ended(await game.start(), "SIGKILL");
    await game.start();
    starts();
    await is("running");

    const killed = await game.start();
    // Its socket shows the kill also where another test's JVM starts now, which removes its counters.
    if (game.java) execFileSync("jcmd", [String(killed.pid), "VM.version"], { stdio: "ignore" });
    await ended(killed, "SIGKILL");
    rcon.drop();
    rcon.answers.clear();
    await until("the agent sees it", () => /does not run \(no process/.test(said));
    ahead = 91_000;
    await is("unreachable");
    await game.start();
    starts();
    await is("running");
    const events = async (): Promise<Json[]> => {
      const path = `/api/v1/servers/${String(linked.json["id"])}/events?limit=100`;
      return rowsOf(await service.request("GET", path, { token }));
    };
    const crashes = async (): Promise<Json[]> =>
      (await events()).filter(({ type }) => type === "server_crash");
    // The first heartbeat shows that it runs; what is reported beside it may arrive a moment later.
    await until("the crash is reported", async () => (await crashes()).length > 0);
    expect(await crashes()).toMatchObject([{ metadata: { reason: game.java ? "killed" : "process_ended" } }]);
    expect(await ended(agent, "SIGTERM")).toBe(0);
    expect(await status()).toMatchObject({ state: "paused" });
    game.log("Banned Griefer42: x-ray");
    const back = tickmark("run", "--state", state, "--every", "0.5");
    await until("the missed ban is reported", async () =>
      (await events()).some(({ type }) => type === "ban"),
    );
    expect(await crashes()).toHaveLength(1);
    expect(await ended(back, "SIGTERM")).toBe(0);
    expect(service.defects).toEqual([]);
    await service.close();
  },
);

it("[OUR-AGT-10] [OUR-AGT-13] a service and an agent that are killed lose nothing that was queued", async () => {
  const databaseUrl = `sqlite:${join(folder, "service.db")}`;
  const fleet = await makeFleet(databaseUrl, 1, "pro");
  const [server] = fleet.servers;
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify({ pro: { daily_calls: 1_000_000, hourly_calls: 1_000_000 } }));
  const environment = { TICKMARK_DATABASE_URL: databaseUrl, TICKMARK_PLANS: plans };
  const service = await startServiceProcess(environment);
  const state = new AgentState(join(folder, "killed"));
  await state.prepare();
  const credential = { server_id: server?.id ?? "", auth_token: server?.credential ?? "" };
  await state.keepLink({ url: service.baseUrl, ...credential, server: { directory: game.folder } });
  await game.start();
  const from = Date.now();
  const api = async (path: string): Promise<Json> => {
    const url = `${service.baseUrl}/api/v1/servers/${credential.server_id}${path}`;
    return (await (await fetch(url, { headers: { authorization: `Bearer ${fleet.token}` } })).json()) as Json;
  };
  const first = tickmark("run", "--state", state.folder, "--every", "0.2");
  await until("running", async () => (await api("/status"))["state"] === "running");
  await ended(service.process, "SIGKILL");
  const queued = (): string[] =>
    readdirSync(state.queueFolder)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => readFileSync(join(state.queueFolder, name), "utf8").split("\n").slice(0, -1))
      .flatMap((line) => (JSON.parse(line) as { sample?: { sampled_at: string } }).sample?.sampled_at ?? []);
  await until("ten samples wait", () => queued().length >= 10);
  await ended(first, "SIGKILL");
  const waiting = queued();
  expect(waiting.length).toBeGreaterThanOrEqual(10);
  const again = await startServiceProcess({
    ...environment,
    TICKMARK_PORT: new URL(service.baseUrl).port,
  });
  const second = tickmark("run", "--state", state.folder, "--every", "0.2");
  const iso = (at: number): string => new Date(at).toISOString();
  const stored = async (): Promise<string[]> => {
    const series = await api(
      `/metrics?from=${iso(from)}&to=${iso(Date.now())}&fields=rss_mb&max_points=2000`,
    );
    return (series["columns"] as { time: string[] }).time;
  };
  await until("they are there", async () => {
    const times = new Set(await stored());
    return waiting.every((time) => times.has(time));
  });
  console.log(`${waiting.length} samples waited on disk over both kills, and all of them arrived`);
  expect(await ended(second, "SIGTERM")).toBe(0);
  expect(queued()).toEqual([]);
  await again.stop();
});
