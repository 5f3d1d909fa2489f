import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { rateBetween, type GameClock } from "../../src/agent/sources/rcon-game-time.ts";
import { rconSource } from "../../src/agent/sources/rcon.ts";
import type { Source } from "../../src/agent/sources/source.ts";
import { sharedData } from "../support/shared-data.ts";
import { installWith } from "./install.ts";
import { startRconServer, type RconServer, type RconServerOptions } from "./rcon-server.ts";
import { patienceMs } from "../support/patience.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function linked(options: RconServerOptions = {}, password = "secret") {
  const server = await startRconServer(options);
  const source = rconSource(installWith({ rcon: { port: server.port, password } }));
  closing.push(
    () => source.close(),
    () => server.close(),
  );
  return { server, source };
}

const read = (source: Source, withinMs = patienceMs) =>
  source.read(Date.now(), AbortSignal.timeout(withinMs));

const paperTps = "§6TPS from last 1m, 5m, 15m: §a19.5, §a20.0, §a20.0\n";
const paperMspt =
  "§6Server tick times §e(§7avg§e/§7min§e/§7max§e)§6 from last 5s§7,§6 10s§7,§6 1m§e:\n§6◴ §a1.0§7/§a0.1§7/§c2.0§e, §a1.0§7/§a0.1§7/§c3.0§e, §a1.5§7/§a0.1§7/§c60.5\n";
const tickQuery =
  "The game is running normallyTarget tick rate: 20.0 per second.\nAverage time per tick: 1.2ms (Target: 50.0ms)Percentiles: P50: 0.9ms P95: 2.0ms P99: 3.4ms, sample: 100";
const list = "There are 3 of a max of 20 players online: Alex, Steve, Griefer42";

function asPaper(server: RconServer): void {
  server.answers.set("list", list).set("tps", paperTps).set("mspt", paperMspt).set("tick query", tickQuery);
}

describe("RCON against a console that speaks it", () => {
  const recorded = sharedData("rcon/answers.txt");
  it.skipIf(!recorded)("the recorded answers, with every byte a piece of its own", async () => {
    const { server, source } = await linked({ bytewise: true });
    const [mspt = "", tps = ""] = readFileSync(recorded ?? "", "utf8").split("\n");
    server.answers.set("tps", tps).set("mspt", mspt);
    const { measured } = await read(source);
    expect(measured).toEqual({ tps: 18.6, mspt: 7.7, worst_tick_ms: 720.7 });
  });

  it("an answer over many packets is one answer", async () => {
    const { server, source } = await linked();
    const names = Array.from({ length: 2000 }, (_, index) => `Player${index}`).join(", ");
    server.answers.set("list", `There are 2000 of a max of 5000 players online: ${names}`);
    server.answers.set("tps", `${"\n".repeat(4096)}${paperTps}`);
    expect((await read(source)).measured).toMatchObject({ player_count: 2000, tps: 19.5 });
    // The stream is still in step.
    expect((await read(source)).measured).toMatchObject({ player_count: 2000, tps: 19.5 });
    const { server: other, source: cut } = await linked({ cut: 7 });
    asPaper(other);
    expect((await read(cut)).measured).toMatchObject({ player_count: 3, tps: 19.5, mspt: 1.5, mspt_p95: 2 });
  });

  it("a console that does not mark the end of an answer is not taken for a stuck game", async () => {
    const { server, source } = await linked({ silent: true });
    asPaper(server);
    const names = Array.from({ length: 900 }, (_, index) => `Player${index}`).join(", ");
    server.answers.set("list", `There are 900 of a max of 5000 players online: ${names}`);
    const { measured, lastTickAgeMs } = await read(source);
    expect(measured).toMatchObject({ player_count: 900, tps: 19.5, mspt_p95: 2 });
    expect(lastTickAgeMs).toBeLessThan(1000);
  });

  it("finds out once what is answered, asks only that, and finds out again after a reconnect", async () => {
    const { server, source } = await linked();
    asPaper(server);
    const first = await read(source);
    expect(first.measured).toEqual({
      player_count: 3,
      tps: 19.5,
      target_tps: 20,
      mspt: 1.5,
      mspt_p95: 2,
      worst_tick_ms: 60.5,
    });
    expect(first.lastTickAgeMs).toBeGreaterThanOrEqual(0);
    expect(first.lastTickAgeMs).toBeLessThan(5000);
    expect(JSON.stringify(first)).not.toContain("Alex");
    expect(server.commands).toEqual(["list", "tps", "mspt", "tick query"]);
    await read(source);
    expect(server.commands.slice(4)).toEqual(["list", "tps", "mspt", "tick query"]);
    expect(server.connections()).toBe(1);

    // The same port, another server: Forge, which knows other commands.
    server.drop();
    server.answers.clear();
    server.answers
      .set("list", "There are 0 of a max of 20 players online: ")
      .set("forge tps", "Overall: Mean tick time: 0.600 ms. Mean TPS: 20.000");
    await expect
      .poll(async () => (await read(source).catch(() => null))?.measured)
      .toEqual({
        player_count: 0,
        mspt: 0.6,
        tps: 20,
      });
    expect(server.connections()).toBe(2);
  });

  it("[OUR-AGG-08] one slow tick is reported once, though the server shows it for a minute", async () => {
    const { server, source } = await linked();
    asPaper(server);
    expect((await read(source)).measured?.worst_tick_ms).toBe(60.5);
    expect((await read(source)).measured?.worst_tick_ms).toBeUndefined();
    server.answers.set("mspt", paperMspt.replace("60.5", "70.5"));
    expect((await read(source)).measured?.worst_tick_ms).toBe(70.5);
  });

  it("[OUR-AGG-09] a game that does not answer is reported with the time the command has waited", async () => {
    const { server, source } = await linked();
    asPaper(server);
    await read(source);
    server.stuck = true;
    const commandsBefore = server.commands.length;
    const early = await read(source, 300);
    expect(early.lastTickAgeMs).toBeGreaterThanOrEqual(290);
    expect(early.measured).toEqual({});
    await expect
      .poll(async () => (await read(source, 300)).lastTickAgeMs)
      .toBeGreaterThan((early.lastTickAgeMs ?? Infinity) + 20);
    // It stays one question, on one connection: a stuck server is not piled up on.
    expect(server.commands.length).toBe(commandsBefore + 1);
    expect(server.connections()).toBe(1);
    const [finding] = await source.check(AbortSignal.timeout(300));
    expect(finding).toMatchObject({ able: false, about: "RCON" });
    expect(finding?.says).toContain("has not answered");
    server.stuck = false;
    server.drop();
    await expect.poll(async () => (await read(source).catch(() => null))?.measured?.tps).toBe(19.5);
  });

  it("[OUR-AGG-10] a refused password is one sentence without the password, and is not tried again at once", async () => {
    const { server, source } = await linked({}, "hunter2-wrong");
    await expect(read(source)).rejects.toThrow("RCON refused the password");
    await expect(read(source)).rejects.toThrow("RCON refused the password");
    expect(server.connections()).toBe(1);
    const [finding] = await source.check(AbortSignal.timeout(patienceMs));
    expect(finding?.able).toBe(false);
    expect(JSON.stringify(finding)).not.toMatch(/hunter2|secret/);
  });

  it("[OUR-AGG-10] without RCON, with nobody there, and with something else there", async () => {
    const off = rconSource(installWith({}));
    expect(await read(off)).toEqual({});
    expect((await off.check(AbortSignal.timeout(patienceMs)))[0]).toMatchObject({
      able: false,
      about: "RCON",
    });
    const { server, source } = await linked();
    await server.close();
    closing.pop();
    await expect(read(source)).rejects.toThrow("RCON cannot be reached (ECONNREFUSED).");
  });
});

describe("ticks counted by the game's own clock", () => {
  const clock = (at: number, ticks: number, players: number | undefined, stands = false): GameClock => ({
    at,
    ticks,
    offMs: 5,
    players,
    stands,
  });

  it("[OUR-AGG-11] a game that keeps up, one that does not, and what was lost", () => {
    expect(rateBetween(clock(0, 1000, 3), clock(30_000, 1600, 3))).toEqual({ tps: 20, lag_seconds: 0 });
    expect(rateBetween(clock(0, 1000, 3), clock(30_050, 1600, 3))).toEqual({ tps: 20, lag_seconds: 0 });
    expect(rateBetween(clock(0, 1000, 3), clock(30_000, 1450, 2))).toEqual({ tps: 15, lag_seconds: 7.5 });
    // It catches up after a slow stretch.
    expect(rateBetween(clock(0, 1000, 3), clock(30_000, 1640, 3))).toEqual({ tps: 20, lag_seconds: 0 });
    expect(rateBetween(clock(0, 0, 0), clock(30_000, 450, 0))).toEqual({
      tps: 15,
      lag_seconds: 7.5,
      paused_empty: false,
    });
  });

  it("[OUR-AGG-11] a pause is no lag, and where the two look alike nothing is reported", () => {
    expect(rateBetween(clock(0, 1000, 0), clock(30_000, 1000, 0, true))).toEqual({ paused_empty: true });
    expect(rateBetween(clock(0, 1000, 2), clock(30_000, 1300, 0, true))).toEqual({ paused_empty: true });
    // Somebody came in between, or nobody knows who was on.
    expect(rateBetween(clock(0, 1000, 0), clock(30_000, 1300, 1))).toEqual({});
    expect(rateBetween(clock(0, 1000, 0, true), clock(30_000, 1300, 0))).toEqual({});
    expect(rateBetween(clock(0, 1000, undefined), clock(30_000, 1300, 1))).toEqual({});
    // Frozen by a command, another world, the agent asleep.
    expect(rateBetween(clock(0, 1000, 2), clock(30_000, 1000, 2))).toEqual({});
    expect(rateBetween(clock(0, 1000, 2), clock(30_000, 10, 2))).toEqual({});
    expect(rateBetween(clock(0, 1000, 2), clock(3_600_000, 1600, 2))).toEqual({});
  });

  it("[OUR-AGG-11] against a console: a vanilla server tells its rate from the second reading on", async () => {
    const { server, source } = await linked();
    let ticks = 5000;
    server.answers.set("list", "There are 0 of a max of 20 players online: ");
    server.answers.set("tick query", tickQuery);
    server.answers.set("time query gametime", () => `The time is ${ticks}`);
    const first = await read(source);
    expect(first.measured).toEqual({ player_count: 0, mspt: 1.2, mspt_p95: 2, target_tps: 20 });
    ticks += 1;
    // Too short to be a rate.
    expect((await read(source)).measured).toEqual(first.measured);
    server.answers.set("tick query", tickQuery.replace("running normally", "frozen"));
    expect((await read(source)).measured).not.toHaveProperty("tps");
  });

  it.each([
    ["Target tick rate: 10.0 per second", 10],
    ["Target tick rate: 100.0 per second", 20],
  ])("[OUR-AGG-207] the rate that the server is set to is a figure: %s", async (words, target_tps) => {
    const { server, source } = await linked();
    server.answers.set("list", "There are 0 of a max of 20 players online: ");
    server.answers.set("tick query", tickQuery.replace("Target tick rate: 20.0 per second", words));
    expect(tickQuery).toContain("Target tick rate: 20.0 per second");
    expect((await read(source)).measured).toMatchObject({ target_tps, mspt: 1.2 });
  });
});
