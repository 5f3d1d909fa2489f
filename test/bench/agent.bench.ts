import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { AgentState } from "../../src/agent/state/state.ts";
import { gameServer } from "../agent/game-server.ts";
import { startRconServer } from "../agent/rcon-server.ts";
import { makeFleet } from "../support/fleet.ts";
import { startServiceProcess } from "../support/service-process.ts";

/** How long the agent is looked at. */
const seconds = Number(process.env["AGENT_BENCH_SECONDS"] ?? 600);
/** Between two samples, s; undefined: as the service asks. Hours of them can be had in minutes. */
const every = process.env["AGENT_BENCH_EVERY"];
/** What the agent may cost at a sample every 30 s: percent of one core, and MB of memory. */
const budget = { cpu: 1, rssMb: 80 };

const folder = mkdtempSync(join(tmpdir(), "tickmark-agent-bench-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** CPU of a process and of the children it waited for, seconds, in clock ticks of 10 ms (Linux). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

function run(args: readonly string[]): number {
  const child = spawn(process.execPath, args, { stdio: "ignore", env: { PATH: process.env["PATH"] ?? "" } });
  children.push(child);
  if (child.pid === undefined) throw new Error("It did not start.");
  return child.pid;
}

it(
  `the agent beside a JVM with a console and a busy log, for ${seconds} s, beside a Node.js that only ticks`,
  async () => {
    const databaseUrl = `sqlite:${join(folder, "bench.db")}`;
    const [server] = (await makeFleet(databaseUrl, 1, "pro")).servers;
    const service = await startServiceProcess({ TICKMARK_DATABASE_URL: databaseUrl });
    const rcon = await startRconServer({ password: "bench" });
    rcon.answers
      .set("tps", "§6TPS from last 1m, 5m, 15m: §a20.0§r, §a20.0§r, §a19.98")
      .set("list", "There are 3 of a max of 20 players online: Ada, Grace, Linus");
    const game = await gameServer();
    game.configure(rcon.port, "bench");
    const busy = setInterval(() => game.log("Ada joined the game"), 200);
    const state = new AgentState(join(folder, "state"));
    await state.prepare();
    await state.keepLink({
      url: service.baseUrl,
      server_id: server?.id ?? "",
      auth_token: server?.credential ?? "",
      server: { directory: game.folder },
    });
    const often = every === undefined ? [] : ["--every", every];
    const agent = run(["dist/main.js", "agent", "run", "--state", state.folder, ...often]);
    const bare = run(["-e", "setInterval(() => {}, 1000)"]);
    await rest(5000);
    const [began, startCpu] = [performance.now(), cpuSeconds(agent)];
    const bareCpu = cpuSeconds(bare);
    await rest(seconds * 1000);
    const wall = (performance.now() - began) / 1000;
    const percent = (pid: number, before: number): number => ((cpuSeconds(pid) - before) / wall) * 100;
    const show = (name: string, cpu: number, pid: number): void =>
      console.log(
        `${name.padEnd(22)} ${cpu.toFixed(3).padStart(7)} % of one core  ${memoryMb(pid, "VmRSS").toFixed(1)} MB now, ${memoryMb(pid, "VmHWM").toFixed(1)} MB at most`,
      );
    const cpu = percent(agent, startCpu);
    show("a Node.js that ticks", percent(bare, bareCpu), bare);
    show("tickmark agent run", cpu, agent);
    console.log(`start and first 5 s: ${startCpu.toFixed(2)} s of CPU; then ${wall.toFixed(0)} s watched`);
    console.log(`budget: ${budget.cpu} % and ${budget.rssMb} MB; JVM ${game.java ? "real" : "none"}`);
    clearInterval(busy);
    game.close();
    await rcon.close();
    await service.stop();
    expect(cpu).toBeGreaterThan(0);
  },
  (seconds + 120) * 1000,
);
