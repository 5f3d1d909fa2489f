import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { roomyPlans, rowsOf, startTestService, type Json } from "../support/service.ts";
import { patienceMs } from "../support/patience.ts";
import { joinAsPlayer, over, realServers, type RealServer } from "./real-servers.ts";

/** Another build may be named, to compare what it can do. */
const main = process.env["TICKMARK_TEST_MAIN"] ?? join(import.meta.dirname, "../../dist/main.js");

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

function tickmark(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, "agent", ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

async function output(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(child, "close");
  return text;
}

interface Row {
  server: string;
  alive: boolean;
  ping: boolean;
  rcon: boolean;
  running: boolean;
  players: number | null;
  stop: string;
  restart: string;
  kill: string;
}

/** For another build, what it cannot do is a cell of the table, and need not be waited for so long, ms. */
const cellMs = process.env["TICKMARK_TEST_MAIN"] === undefined ? patienceMs : 12_000;

/** True once it holds, false if it does not in time. */
async function holds(test: () => Promise<boolean> | boolean): Promise<boolean> {
  const deadline = performance.now() + cellMs;
  while (performance.now() < deadline) {
    if (await test()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

async function rowOf(server: RealServer): Promise<Row> {
  const port = await freePort();
  const folder = server.install(port);
  const state = mkdtempSync(join(tmpdir(), "tickmark-real-"));
  const begin = (): ChildProcess => {
    const child = server.start(folder, port);
    children.push(child);
    return child;
  };
  const where = ["--state", state, "--directory", folder, "--port", String(port)];
  const check = async () =>
    JSON.parse(await output(tickmark("check", "--json", ...where))) as {
      alive: boolean;
      findings: { able: boolean; about: string }[];
    };
  let game = begin();
  const is = (about: string, all: Awaited<ReturnType<typeof check>>): boolean =>
    all.findings.some((one) => one.about === about && one.able);
  let checked = await check();
  await holds(async () => {
    checked = await check();
    return is("server list ping", checked);
  });
  const service = await startTestService({ plans: roomyPlans });
  const token = await service.token(await service.account("pro"));
  const linking = tickmark("link", "--json", "--url", `http://127.0.0.1:${service.port}`, ...where);
  if (!linking.stdout) throw new Error("No output.");
  const lines = createInterface({ input: linking.stdout })[Symbol.asyncIterator]();
  const { code } = JSON.parse(String((await lines.next()).value)) as { code: string };
  const linked = await service.request("POST", "/api/v1/servers/link", { token, body: { code } });
  await lines.next();
  const path = `/api/v1/servers/${String(linked.json["id"])}`;
  const status = async () => (await service.request("GET", `${path}/status`, { token })).json;
  const namedEvents = async (): Promise<string[]> => {
    const rows = rowsOf(await service.request("GET", `${path}/events?limit=100`, { token }));
    return rows
      .filter(({ category }) => category === "lifecycle")
      .map(({ type, metadata }) => [type, (metadata as Json | null)?.["reason"]].filter(Boolean).join(" "))
      .toReversed();
  };
  const news = async (work: () => void): Promise<string> => {
    const before = (await namedEvents()).length;
    work();
    await holds(async () => (await namedEvents()).length > before);
    return (await namedEvents()).slice(before).join(", ") || "nothing";
  };
  tickmark("run", "--state", state, "--every", "0.5");
  const running = await holds(async () => (await status())["state"] === "running");
  const players = (): Promise<number | null> =>
    status().then((now) => (now["current"] as Json | null)?.["player_count"] as number | null);
  children.push(joinAsPlayer(server, port));
  await holds(async () => ((await players()) ?? 0) > 0);
  const counted = await players();
  const stop = await news(() => server.stop(game));
  await over(game);
  const restart = await news(() => (game = begin()));
  await holds(async () => is("server list ping", await check()));
  const kill = await news(() => game.kill("SIGKILL"));
  await service.close();
  return {
    server: server.name,
    alive: checked.alive,
    ping: is("server list ping", checked),
    rcon: is("RCON", checked),
    running,
    players: counted,
    stop,
    restart,
    kill,
  };
}

describe("servers of other makes, as they run", () => {
  for (const server of realServers) {
    if (server.absent !== null) console.warn(`*** SKIPPED: ${server.name}: ${server.absent} ***`);
    // It starts a real server three times, and waits for its ends.
    it.skipIf(server.absent !== null)(
      `[OUR-AGT-297] ${server.name}: check, link, run, players, stop, restart, kill`,
      async () => {
        const row = await rowOf(server);
        console.table([row]);
        if (process.env["TICKMARK_TEST_MAIN"] !== undefined) return;
        expect(row).toMatchObject({ alive: true, ping: true, running: true, players: 1 });
        expect(row.rcon).toBe(server.name === "Cuberite");
        expect(row.stop).toMatch(/^server_(?:stop|crash)/);
        expect(row.restart).toContain("server_start");
        expect(row.kill).toContain("server_crash");
      },
      300_000,
    );
  }
});
