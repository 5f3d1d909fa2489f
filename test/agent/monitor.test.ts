import { afterEach, beforeEach, expect, it } from "vitest";
import { Queue } from "../../src/agent/send/queue.ts";
import { Unlinked } from "../../src/agent/send/service-client.ts";
import { askForCapture } from "../../src/actions/server/ask-for-capture.ts";
import { setMonitoring } from "../../src/actions/server/set-monitoring.ts";
import { unlinkServer } from "../../src/actions/server/unlink-server.ts";
import { minuteMs } from "../support/clock.ts";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { asPerson } from "../support/as-person.ts";
import { rowsOf } from "../support/service.ts";
import { play, type Played } from "./played.ts";

let played: Played;
beforeEach(async () => {
  played = await play();
});
afterEach(async () => {
  expect(played.service.defects).toEqual([]);
  await played.close();
});

const stop = (at: number) => ({ announced: { what: "stopping", at } as const });

it("[OUR-AGT-01] a sample of every source's figures with every heartbeat, as often as the service asks", async () => {
  played.process(41);
  await played.pass(91);
  expect(await played.status()).toMatchObject({
    state: "running",
    sampled_at: new Date(played.clock.now() - 1000).toISOString(),
    current: { tps: 20, mspt: 12.5, player_count: 3, rss_mb: null },
    monitoring: { plugin_step: "receiving" },
  });
  expect(await played.series()).toEqual({ points: 4, gaps: [] });
});

it("[OUR-AGT-13] five minutes without the service leave no gap in the series", async () => {
  await played.pass(60);
  played.wire.lead(null);
  await played.pass(5 * 60);
  expect(await played.status()).toMatchObject({ state: "unreachable" });
  expect((await played.series()).points).toBe(2);
  played.wire.lead(played.service.port);
  await played.pass(90);
  expect(await played.status()).toMatchObject({ state: "running" });
  expect(await played.series()).toEqual({ points: 15, gaps: [] });
  expect(played.lines.filter((line) => /The service can(not)? be reached/.test(line))).toHaveLength(2);
});

it("[OUR-AGT-13] [OUR-AGT-10] what an agent that was killed had queued is delivered by the next one", async () => {
  await played.pass(31);
  played.wire.lead(null);
  await played.pass(300);
  await played.restart();
  played.wire.lead(played.service.port);
  await played.pass(61);
  expect((await played.series()).gaps).toEqual([]);
  expect((await played.series()).points).toBeGreaterThanOrEqual(13);
});

it("[OUR-AGT-03] a stop that the server announces is reported at once, and stands until it starts again", async () => {
  played.process(41);
  await played.pass(35);
  played.watched(stop(played.clock.now()));
  await played.pass(1);
  expect(await played.status()).toMatchObject({ state: "stopped" });
  // Its process saves the world for a while, and is gone then.
  await played.pass(45);
  played.process(null);
  played.figures(null);
  await played.pass(60);
  expect(await played.status()).toMatchObject({ state: "stopped" });
  played.process(42);
  played.figures({ measured: { tps: 20 } });
  await played.pass(31);
  expect(await played.status()).toMatchObject({ state: "running" });
});

it("[OUR-AGT-03] a stop that did not get through is reported as soon as the service answers", async () => {
  await played.pass(31);
  played.wire.lead(null);
  played.watched(stop(played.clock.now()));
  played.figures(null);
  await played.pass(20);
  played.wire.lead(played.service.port);
  await played.pass(40);
  expect(await played.status()).toMatchObject({ state: "stopped" });
});

it("[OUR-AGT-03] a server that still answers two minutes after it said that it stops did not stop", async () => {
  await played.pass(1);
  played.watched(stop(played.clock.now()));
  await played.pass(60);
  expect(await played.status()).toMatchObject({ state: "stopped" });
  await played.pass(100);
  expect(await played.status()).toMatchObject({ state: "running" });
});

it("[OUR-AGT-02] no heartbeat speaks for a server that is gone, so that it becomes unreachable", async () => {
  played.process(41);
  await played.pass(31);
  played.process(null);
  played.figures(null);
  await played.pass(91 + 30);
  expect(await played.status()).toMatchObject({ state: "unreachable" });
  expect(played.lines.join()).toContain("no process, no answer");
  played.figures({ measured: { player_count: 0 } });
  await played.pass(31);
  expect(await played.status()).toMatchObject({ state: "running" });
});

it("[OUR-AGT-04] a source that fails costs its own figures alone, and is spoken of when it begins and ends", async () => {
  played.process(41);
  played.figures(null);
  await played.pass(95);
  expect(await played.status()).toMatchObject({ state: "running", current: { tps: null } });
  played.figures({ measured: { tps: 19 } });
  await played.pass(31);
  const lines = played.lines.filter((line) => line.startsWith("figures:"));
  expect(lines).toEqual([
    expect.stringMatching(/^figures: cannot be read \(.+\)\.$/),
    "figures: can be read again.",
  ]);
});

it("[OUR-AGT-04] a figure that the service would refuse is left out, and the others arrive", async () => {
  played.process(41);
  played.figures({ measured: { tps: 400, mspt: 12, rss_mb: 1.5, player_count: -1 } });
  await played.pass(61);
  expect(await played.status()).toMatchObject({ current: { tps: null, mspt: 12, rss_mb: null } });
  expect(played.lines.filter((line) => line.includes("left out"))).toHaveLength(3);
});

it("[OUR-AGT-07] says why the service takes nothing, keeps nothing meanwhile, and goes on when it does", async () => {
  const person = await asPerson(played.service, played.server.owner);
  await played.pass(31);
  await person(setMonitoring, { server_id: played.server.id, enabled: false });
  await played.pass(90);
  expect(played.lines.filter((line) => line.includes("switched off"))).toHaveLength(1);
  const before = (await played.series()).points;
  await person(setMonitoring, { server_id: played.server.id, enabled: true });
  await played.pass(60);
  expect((await played.series()).points).toBe(before + 2);
  expect(await played.status()).toMatchObject({ state: "running" });
});

it("[OUR-AGT-07] ends where the service takes its credential no more, and says what to do", async () => {
  const person = await asPerson(played.service, played.server.owner);
  await played.pass(31);
  await person(unlinkServer, { server_id: played.server.id });
  const ended = played.pass(60);
  await expect(ended).rejects.toBeInstanceOf(Unlinked);
  await expect(ended).rejects.toThrow("tickmark agent link");
});

it("[OUR-AGT-08] a clock that is minutes off is reported once, and figures arrive all the same", async () => {
  await played.close();
  const service = await play({ clock: () => Date.parse("2026-11-20T08:20:00Z") });
  await service.pass(61);
  expect(service.lines.filter((line) => line.includes("20 minutes ahead"))).toHaveLength(1);
  expect(await service.status()).toMatchObject({ state: "running", current: { tps: 20 } });
  await service.close();
  played = await play();
});

it("[OUR-AGT-12] what was given up is one entry of the timeline that counts it", async () => {
  await played.restart({ ageMs: 3_600_000, bytes: 3000, fileBytes: 600, held: 10 });
  await played.pass(1);
  played.wire.lead(null);
  await played.pass(20 * 60);
  played.wire.lead(played.service.port);
  await played.pass(91);
  const gaps = (await played.events()).filter(({ type }) => type === "agent_gap");
  expect(gaps).toHaveLength(1);
  const { samples } = (gaps[0] ?? {})["metadata"] as { samples: number };
  expect(samples).toBeGreaterThan(10);
  expect((await played.series()).points + samples).toBe(44);
});

it("[OUR-AGT-12] what the service refuses is given up alone, and what stands beside it arrives", async () => {
  await played.pass(1);
  played.wire.lead(null);
  await played.pass(120);
  // A clock that was half an hour ahead for a moment.
  const entry = { sampled_at: new Date(played.clock.now() + 30 * minuteMs).toISOString(), tps: 1 };
  const queue = await Queue.open(played.state.queueFolder);
  await queue.append({ at: played.clock.now(), sample: entry });
  await queue.close();
  await played.restart();
  played.wire.lead(played.service.port);
  await played.pass(61);
  expect((await played.series()).gaps).toEqual([]);
  const gap = (await played.events()).find(({ type }) => type === "agent_gap");
  expect(gap).toMatchObject({ metadata: { samples: 1, events: 0 } });
});

it("[OUR-AGT-09] a pause is announced, survives the agent, sends nothing, and ends with the next heartbeat", async () => {
  played.process(41);
  await played.pass(31);
  await played.state.keepPause(played.clock.now(), false);
  await played.pass(2);
  expect(await played.status()).toMatchObject({ state: "paused" });
  expect(await played.state.pause()).toMatchObject({ announced: true });
  const { points } = await played.series();
  await played.restart();
  await played.pass(61);
  expect(await played.status()).toMatchObject({ state: "paused" });
  expect((await played.series()).points).toBe(points);
  await played.state.endPause();
  await played.pass(2);
  expect(await played.status()).toMatchObject({ state: "running" });
});

it("[OUR-AGT-09] an agent that ends in order announces a pause, but not for a server that stopped or is gone", async () => {
  played.process(41);
  await played.pass(31);
  await played.agent().end();
  expect(await played.status()).toMatchObject({ state: "paused" });
  await played.restart();
  await played.pass(31);
  played.watched(stop(played.clock.now()));
  await played.pass(2);
  await played.agent().end();
  expect(await played.status()).toMatchObject({ state: "stopped" });
});

it("[OUR-AGT-05] events of a source reach the timeline within the second, once", async () => {
  played.process(41);
  await played.pass(5);
  const timestamp = new Date(played.clock.now()).toISOString();
  const about = { type: "crash", category: "lifecycle", source: "latest.log", severity: "error" } as const;
  played.watched({ events: [{ local_id: "crash-1", ...about, title: "It crashed", timestamp }] });
  await played.pass(3);
  const crashes = (await played.events()).filter(({ type }) => type === "crash");
  expect(crashes).toMatchObject([{ title: "It crashed", timestamp }]);
});

it("[OUR-AGT-17] what its owner asks for is taken and uploaded once; what failed waits two minutes", async () => {
  await played.close();
  let attempts = 0;
  const histogram =
    " num     #instances         #bytes  class name (module)\n   1:          1000        2000000  [B (java.base)\n";
  const collecting: Played = await play({
    collect: async (what) => {
      if (what === "profile") return null;
      attempts += 1;
      if (attempts === 1) throw new Error("The JVM does not answer.");
      const client = pluginClient(collecting.wire.url, collecting.server.credential, { gzip: true });
      const { id } = await client.uploadMemoryFile(Buffer.from(histogram), "text/x-java-class-histogram");
      return `memory report ${id}`;
    },
  });
  played = collecting;
  const person = await asPerson(collecting.service, collecting.server.owner);
  await collecting.pass(1);
  for (const what of ["class_histogram", "profile"] as const)
    await person(askForCapture, { server_id: collecting.server.id, what });
  await collecting.pass(100);
  expect(attempts).toBe(1);
  await collecting.pass(200);
  expect(attempts).toBe(2);
  const token = await collecting.service.token(collecting.server.owner);
  const path = `/api/v1/servers/${collecting.server.id}/memory-reports`;
  expect(rowsOf(await collecting.service.request("GET", path, { token }))).toHaveLength(1);
  const lines = collecting.lines.filter((line) => line.startsWith("The service requested"));
  expect(lines).toHaveLength(3);
  expect(lines.join()).toMatch(/histogram: it failed.+profile: spark has saved no new file/);
});
