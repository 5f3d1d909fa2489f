import { describe, expect, it } from "vitest";
import { serviceJobs } from "../../../src/jobs/jobs.ts";
import { hourMs, minuteMs, secondMs } from "../../support/clock.ts";
import { rowsOf } from "../../support/service.ts";
import type { Json } from "../../support/payload.ts";
import { event, sceneOfServer } from "../../support/scene.ts";
import { diagnosedServer, figuresOf, hostile, listOf } from "./diagnosed-server.ts";

const scene = sceneOfServer({ name: hostile, port: 25_565 }, { timers: false });
const { send, beat, play, diagnose } = diagnosedServer(scene);

const calm = { tps: 20, mspt: 12, player_count: 8 };
const half = 30 * secondMs;

const get = (path: string) => scene.service.request("GET", `/api/v1${path}`, { token: scene.token });

/** The server's row of the overview, and that of the fleet's diagnosis. */
async function fleet(): Promise<Json & { health: Json; diagnosed: Json }> {
  const [row] = rowsOf(await get("/monitoring/overview"));
  const [diagnosed] = rowsOf(await get("/monitoring/health"));
  return { ...row, health: row?.["health"] as Json, diagnosed: diagnosed as Json };
}

const turns = async (): Promise<unknown[]> =>
  rowsOf(await get(`/servers/${scene.server.id}/events?type=health_changed`)).map(({ metadata }) => [
    (metadata as Json)["from"],
    (metadata as Json)["to"],
  ]);

let seen: number | null = null;

/** The job of health, as it runs once a minute. */
async function turn(): Promise<void> {
  const { app } = scene.service;
  const { signal } = new AbortController();
  const warn = (_job: string, error: unknown): void => expect(error).toBeUndefined();
  const jobs = serviceJobs({ ...app, warn, signal } as Parameters<typeof serviceJobs>[0]);
  await jobs.find(({ name }) => name === "health")?.run(seen);
  seen = scene.clock.now();
}

/** Minutes of two heartbeats each, with the job after every one. */
async function live(minutes: number, bootAgoMs = 2 * hourMs): Promise<void> {
  for (let index = 0; index < minutes * 2; index += 1) {
    scene.clock.advance(half);
    await beat(bootAgoMs + (index + 1) * half, { sample: { sampled_at: scene.at(-100), ...calm } });
    if (index % 2 === 1) await turn();
  }
}

const end = (id: string, agoMs: number, more: Json = {}): Json =>
  event(id, {
    type: "server_crash",
    category: "lifecycle",
    source: hostile,
    severity: "error",
    title: hostile,
    timestamp: scene.at(-agoMs),
    ...more,
  });

describe("[OUR-HLT-110] a server that ended uncleanly", () => {
  it.each([
    ["out of memory", { metadata: { reason: "killed", out_of_memory: true } }],
    ["out of memory", { title: "Server crashed: java.lang.OutOfMemoryError: Java heap space" }],
    ["its process was killed", { metadata: { reason: "killed" } }],
    ["its JVM crashed", { metadata: { reason: "jvm_crashed" } }],
    ["its process ended, and nothing says why", { metadata: { reason: "process_ended" } }],
    ["its process was killed", { title: "Server crashed: the process was killed" }],
    [
      "its watchdog ended it because a tick took too long",
      { title: "Server crashed: one tick took too long" },
    ],
    ["it crashed", { title: "Server crashed: java.lang.NullPointerException" }],
  ])("is down at once on every answer: %s", async (words, more) => {
    await play(hourMs, half, () => calm);
    scene.clock.advance(20 * secondMs);
    await send("/events", { events: [end("1", 12 * secondMs, more)] });
    const since = scene.at(-12 * secondMs);
    const text = `The server ended 12 s ago: ${words}.`;
    const down = { verdict: "down", since };
    const row = await fleet();
    expect(row).toMatchObject({ status: "online", state: "running" });
    expect(row.health).toMatchObject({ ...down, reasons: expect.arrayContaining(["server_down"]) });
    expect(row.diagnosed).toMatchObject({ ...down, headline: { code: "server_down", text } });
    const health = await diagnose();
    expect(health).toMatchObject({ ...down, headline: { code: "server_down", text } });
    const [finding] = health["findings"] as Json[];
    expect(figuresOf(finding ?? null)).toEqual([["ended_ago", 12, "seconds", null]]);
    expect(listOf(finding ?? null, "coincides_with")).toMatchObject([{ kind: "crash", at: since }]);
    expect(health["availability"]).toMatchObject({ up_seconds: 3608, down_seconds: 12, incidents: 1 });
    expect(await turns()).toEqual([["healthy", "down"]]);
    // The age is that of the answer.
    scene.clock.advance(100 * secondMs);
    expect((await fleet()).diagnosed).toMatchObject({
      ...down,
      headline: { text: `The server ended 1 min 52 s ago: ${words}.` },
    });
    expect(await fleet()).toMatchObject({ status: "offline", state: "unreachable" });
  });

  it("is taken back by a later heartbeat", async () => {
    await play(hourMs, half, () => calm);
    scene.clock.advance(10 * secondMs);
    await send("/events", { events: [end("1", 2 * secondMs)] });
    expect((await fleet()).health).toMatchObject({ verdict: "down" });
    scene.clock.advance(20 * secondMs);
    await beat(5 * secondMs, {});
    expect((await fleet()).health).toMatchObject({ verdict: "unknown" });
    expect(await diagnose()).toMatchObject({ verdict: "unknown", headline: { code: "starting" } });
  });

  it("is not one that announced its stop, nor one whose end comes to light when it runs again", async () => {
    await play(hourMs, half, () => calm);
    scene.clock.advance(10 * secondMs);
    await send("/heartbeat", { sent_at: scene.at(), plugin_version: "1.10.2", announce: "stopping" });
    await send("/events", { events: [end("1", secondMs)] });
    expect((await fleet()).health).toMatchObject({ verdict: "stopped" });
    expect(await diagnose()).toMatchObject({ verdict: "stopped" });
    scene.clock.advance(10 * minuteMs);
    await beat(minuteMs, {});
    await send("/events", { events: [end("2", 2 * minuteMs)] });
    expect((await fleet()).health).not.toMatchObject({ verdict: "down" });
    expect(await turns()).toEqual([]);
  });
});

describe("[OUR-HLT-111] every outage is announced", () => {
  it("two minutes of running announce the recovery, and the next outage is another", async () => {
    await play(hourMs, half, () => calm);
    await live(2);
    for (let count = 0; count < 2; count += 1) {
      for (let minutes = 0; minutes < 3; minutes += 1) {
        scene.clock.advance(minuteMs);
        await turn();
      }
      await live(4);
    }
    expect(await turns()).toEqual([
      ["down", "healthy"],
      ["healthy", "down"],
      ["down", "healthy"],
      ["healthy", "down"],
    ]);
  });

  it("also one after less than two minutes of running", async () => {
    await play(hourMs, half, () => calm);
    await live(1);
    scene.clock.advance(10 * secondMs);
    await send("/events", { events: [end("1", secondMs)] });
    await live(1);
    scene.clock.advance(10 * secondMs);
    await send("/events", { events: [end("2", secondMs)] });
    expect(await turns()).toEqual([
      ["degraded", "down"],
      ["healthy", "down"],
    ]);
  });
});

it("[OUR-HLT-112] an unresponsive server answers a ping, or answers nothing, or that is not known", async () => {
  const hung = async (more: Json): Promise<unknown> => {
    scene.clock.advance(half);
    await beat(2 * hourMs, { last_tick_age_ms: 40_000, sample: { sampled_at: scene.at(-100), ...more } });
    const { headline } = await diagnose();
    expect((await fleet()).diagnosed["headline"]).toEqual(headline);
    return (headline as Json)["text"];
  };
  await play(hourMs, half, () => ({ tps: 20, mspt: 12 }));
  expect(await hung({})).toBe("The server's process runs, but its main thread does not tick.");
  expect(await hung({ player_count: 3 })).toBe(
    "The server answers a ping, but its main thread does not tick.",
  );
  expect(await hung({})).toBe(
    "The server's process runs, but answers nothing: its main thread does not tick, and a ping gets no answer.",
  );
});

describe("[OUR-HLT-113] the fleet and the server agree", () => {
  it("a first sample, a state and an alert are evaluated at once, without the job", async () => {
    await scene.service.request("POST", `/api/v1/servers/${scene.server.id}/alert-rules`, {
      token: scene.token,
      body: {
        name: "Low TPS",
        metric: "tps",
        condition: "below",
        threshold: 18,
        duration_minutes: 0,
        cooldown_minutes: 0,
      },
    });
    await beat(hourMs, { sample: { sampled_at: scene.at(-100), ...calm } });
    const text = "Starting: the server is judged in 15 min.";
    expect((await fleet()).health).toMatchObject({ verdict: "unknown", evaluated_at: scene.at() });
    expect((await fleet()).diagnosed).toMatchObject({ headline: { code: "starting", text } });
    await play(hourMs, half, () => calm);
    scene.clock.advance(half);
    await beat(3 * hourMs, { sample: { sampled_at: scene.at(-100), ...calm, tps: 9 } });
    expect((await fleet()).health).toMatchObject({ reasons: ["alert_open"], evaluated_at: scene.at() });
    await send("/heartbeat", { sent_at: scene.at(), plugin_version: "1.10.2", announce: "stopping" });
    scene.clock.advance(half);
    await beat(3 * hourMs, { sample: { sampled_at: scene.at(-100), ...calm } });
    expect((await fleet()).health["verdict"]).toBe((await diagnose())["verdict"]);
  });

  it("a question about one server stores what it finds, once, and only about now", async () => {
    await play(hourMs, half, () => calm);
    await live(1);
    await send("/samples", {
      samples: Array.from({ length: 90 }, (_, index) => ({
        sampled_at: scene.at(-index * 10 * secondMs - secondMs),
        tps: 9,
        mspt: 70,
      })),
    });
    const before = (await fleet()).health;
    expect(before).toMatchObject({ verdict: "healthy" });
    scene.clock.advance(secondMs);
    await get(`/servers/${scene.server.id}/health?from=-90m&to=-1m`);
    expect((await fleet()).health).toEqual(before);
    const { verdict, since, headline } = await diagnose();
    const after = await fleet();
    expect(after.health).toMatchObject({ verdict: "critical", since, evaluated_at: scene.at() });
    expect(after.diagnosed).toMatchObject({ verdict, since, headline });
    scene.clock.advance(secondMs);
    await diagnose();
    expect((await fleet()).health).toEqual(after.health);
  });

  it("an answer goes out although nothing can be stored", async () => {
    await play(hourMs, half, () => ({ tps: 9, mspt: 70 }));
    const { db } = scene.service.app;
    const { write } = db;
    Object.assign(db, { write: () => Promise.reject(new Error("database or disk is full")) });
    try {
      expect(await diagnose()).toMatchObject({ verdict: "critical" });
    } finally {
      Object.assign(db, { write });
    }
  });
});

it("[OUR-HLT-21] under 15 minutes of data every answer says when the server will be judged", async () => {
  await beat(3 * hourMs, { sample: { sampled_at: scene.at(-100), ...calm } });
  for (let index = 0; index < 29; index += 1) {
    scene.clock.advance(half);
    await beat(3 * hourMs, { sample: { sampled_at: scene.at(-100), ...calm } });
    const left = Math.ceil(15 - (index + 1) / 2);
    const headline = { code: "starting", text: `Starting: the server is judged in ${left} min.` };
    expect((await fleet()).diagnosed).toMatchObject({ verdict: "unknown", headline });
    if (index % 7 === 0) expect(await diagnose()).toMatchObject({ verdict: "unknown", headline });
  }
  scene.clock.advance(half);
  await beat(3 * hourMs, { sample: { sampled_at: scene.at(-100), ...calm } });
  expect(await diagnose()).toMatchObject({ verdict: "healthy" });
  expect((await fleet()).health).toMatchObject({ verdict: "healthy", judged_at: null });
});
