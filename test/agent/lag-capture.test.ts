import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LagCapture, lagCommand } from "../../src/agent/collect/lag-capture.ts";
import { profilesSavedSince } from "../../src/agent/collect/spark-folder.ts";
import { capturesOf } from "../../src/agent/collect/upload.ts";
import { rconSource, type RconSource } from "../../src/agent/sources/rcon.ts";
import { handClock, minuteMs } from "../support/clock.ts";
import { int, message } from "../support/protobuf-writer.ts";
import { rowsOf } from "../support/service.ts";
import type { Json } from "../support/payload.ts";
import { source, sparkFile } from "../support/spark-file.ts";
import { installWith } from "./install.ts";
import { play, type Played } from "./played.ts";
import { startRconServer, type RconServer } from "./rcon-server.ts";

let rcon: RconServer;
let console: RconSource;
let played: Played;
let directory = "";
/** What spark answers, and whether it records. */
let spark = { answer: "", records: true };
/** Recordings that spark was asked for and has not saved yet: when each is over. */
let recordings: number[] = [];

beforeEach(async () => {
  rcon = await startRconServer();
  spark = { answer: "", records: true };
  recordings = [];
  rcon.answers.set(lagCommand, () => {
    if (spark.records) recordings.push(played.clock.now() + minuteMs);
    return spark.answer;
  });
  console = rconSource(installWith({ rcon: { port: rcon.port, password: "secret" } }));
  played = await play((made) => {
    directory = made.directory;
    const install = installWith({ directory });
    const { ofLag: upload } = capturesOf(install, made.client, made.clock);
    const savedSince = (since: number) => profilesSavedSince(install, since);
    return { console: console.console, lagCapture: new LagCapture({ ...made, savedSince, upload }) };
  });
  mkdirSync(join(directory, "plugins", "spark"), { recursive: true });
  played.process(41);
});
afterEach(async () => {
  expect(played.service.defects).toEqual([]);
  await played.close();
  await console.close();
  await rcon.close();
});

const ticks = (mspt: number) => played.figures({ measured: { tps: 1000 / Math.max(50, mspt), mspt } });

/** A file of spark: its server thread spends nearly all its time in one plugin, and only in slow ticks. */
const recorded = (endMs: number): Uint8Array =>
  sparkFile({
    startMs: endMs - minuteMs,
    endMs,
    metadata: [source("marketstalls", "MarketStalls"), message(5, int(1, 1), int(3, 50), int(4, 21))],
    threads: [
      {
        calls: [
          { method: "net.minecraft.Server.tick", ms: 4000, calls: [{ method: "ms.Shop.sort", ms: 3600 }] },
        ],
      },
    ],
    classSources: { "ms.Shop": "MarketStalls" },
  });

function save(at: number): void {
  const path = join(directory, "plugins", "spark", `profile-${at}.sparkprofile`);
  writeFileSync(path, recorded(at));
  utimesSync(path, at / 1000, at / 1000);
}

async function pass(minutes: number): Promise<void> {
  for (let turn = 0; turn < minutes * 2; turn += 1) {
    await played.pass(30);
    for (const at of recordings.filter((over) => over <= played.clock.now())) save(at);
    recordings = recordings.filter((over) => over > played.clock.now());
  }
}

const asked = (): number => rcon.commands.filter((command) => command === lagCommand).length;
const get = async (path: string): Promise<Json> => {
  const token = await played.service.token(played.server.owner);
  return (await played.service.request("GET", `/api/v1${path}`, { token })).json;
};
const profiles = async (): Promise<Json[]> => {
  const token = await played.service.token(played.server.owner);
  return rowsOf(await played.service.request("GET", "/api/v1/monitoring/profiles", { token }));
};

it("[OUR-AGT-320] two minutes of lag are profiled by spark, and the profile stands in the diagnosis", async () => {
  await pass(2);
  ticks(80);
  await pass(2);
  expect(asked()).toBe(0);
  await pass(1);
  expect(asked()).toBe(1);
  await pass(2);
  expect(await profiles()).toMatchObject([
    { trigger: "lag", lag: { slow_ticks: 21 }, top_plugin: { owner: "MarketStalls" } },
  ]);
  const [profile] = await profiles();
  const detail = await get(`/servers/${played.server.id}/profiles/${String(profile?.["profile_id"])}`);
  expect(detail).toMatchObject({ trigger: "lag", detail: { trigger: "lag" } });
  const { findings } = (await get(`/servers/${played.server.id}/health`)) as { findings: Json[] };
  const late = findings.find(({ code }) => code === "tick_over_budget");
  expect(late?.["next"]).toMatchObject([
    { action: "read_profile", tool: "get_profile", arguments: { profile_id: profile?.["profile_id"] } },
    { action: "read_metrics" },
  ]);
  expect(findings).toContainEqual(expect.objectContaining({ code: "plugin_heavy", subject: "MarketStalls" }));
  expect(played.lines.filter((line) => line.startsWith("Profile of the lag"))).toHaveLength(2);
});

it("[OUR-AGT-320] a shorter lag, one that came and went, and one without figures are not profiled", async () => {
  for (let time = 0; time < 4; time += 1) {
    ticks(80);
    await pass(1.5);
    ticks(20);
    await pass(0.5);
  }
  ticks(80);
  await pass(1);
  played.figures({ measured: { player_count: 3 } });
  await pass(3);
  ticks(80);
  await pass(1);
  expect(asked()).toBe(0);
});

it("[OUR-AGT-321] there is an hour between two profiles, and six on a day, with those of the owner", async () => {
  const clock = handClock();
  const saved: number[] = [clock.now() - 10 * minuteMs];
  let commands = 0;
  const run = async () => {
    commands += 1;
    saved.push(clock.now() + minuteMs);
    return "";
  };
  const lag = new LagCapture({
    savedSince: async (since) => saved.filter((at) => at >= since),
    upload: async (since) => (saved.some((at) => at >= since && at <= clock.now()) ? "uploaded" : null),
    clock: clock.now,
    elapsed: clock.now,
    tell: () => {},
  });
  const after = async (minutes: number): Promise<number> => {
    for (let turn = 0; turn < minutes * 2; turn += 1) {
      lag.see({ mspt: 80 }, { run }, new AbortController().signal);
      await lag.settled();
      clock.advance(minuteMs / 2);
    }
    return commands;
  };
  expect(await after(49)).toBe(0);
  expect(await after(3)).toBe(1);
  expect(await after(58)).toBe(1);
  expect(await after(4)).toBe(2);
  expect(await after(10 * 60)).toBe(5);
  expect(await after(11 * 60)).toBe(5);
  // The owner's profile is a day old.
  expect(await after(3 * 60)).toBe(6);
});

it("[OUR-AGT-321] where spark is not installed or cannot record, that is said and nothing is repeated", async () => {
  spark = { answer: "[⚡] Profiler is already running!", records: false };
  ticks(80);
  await pass(30);
  expect(asked()).toBe(1);
  expect(played.lines).toContain("Profile of the lag: spark records a profile already, so none was started.");
  spark = { answer: "", records: false };
  await pass(40);
  expect(asked()).toBe(2);
  expect(played.lines).toContain(
    "Profile of the lag: spark saved none, so the server may refuse the command.",
  );
});

it("[OUR-AGT-322] a profile that the service does not take at once is uploaded when it answers", async () => {
  ticks(80);
  await pass(3);
  expect(asked()).toBe(1);
  played.wire.lead(null);
  await pass(10);
  played.wire.lead(played.service.port);
  await pass(3);
  expect(await profiles()).toMatchObject([{ trigger: "lag" }]);
});
