import { expect, it } from "vitest";
import { Queue } from "../../src/agent/send/queue.ts";
import { dayMs } from "../../src/core/time.ts";
import { play } from "./played.ts";

const years = 2 * 365 * dayMs;

it("[OUR-AGT-22] a clock that is set by years neither deletes what waits nor stops what is sent, and samples stand where they were measured", async () => {
  for (const step of [years, -years]) {
    let aheadMs = 0;
    let now = (): number => 0;
    const played = await play({ clock: () => now() + aheadMs });
    now = played.clock.now;
    played.process(41);
    await played.pass(31);
    played.wire.lead(null);
    await played.pass(90);
    aheadMs = step;
    await played.pass(90);
    played.wire.lead(played.service.port);
    await played.pass(61);
    const { points, gaps } = await played.series();
    expect(gaps).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(9);
    expect((await played.events()).filter(({ type }) => type === "agent_gap")).toEqual([]);
    expect(await played.status()).toMatchObject({ state: "running", current: { tps: 20 } });
    // A stop is told at once, though it is "before" the last start by this clock.
    const at = played.clock.now() + aheadMs;
    played.watched({ announced: { what: "stopping", at } });
    await played.pass(2);
    expect(await played.status()).toMatchObject({ state: "stopped" });
    await played.close();
  }
});

it("[OUR-AGT-22] an agent whose server has stopped learns the service's time before it sends what waits", async () => {
  let aheadMs = years;
  let now = (): number => 0;
  const played = await play({ clock: () => now() + aheadMs });
  now = played.clock.now;
  played.wire.lead(null);
  await played.pass(61);
  played.figures({});
  await played.restart();
  await played.pass(31);
  aheadMs = 0;
  played.wire.lead(played.service.port);
  await played.pass(90);
  expect((await played.series()).points).toBe(3);
  expect((await played.events()).filter(({ type }) => type === "agent_gap")).toEqual([]);
  await played.close();
});

it("[OUR-AGT-12] samples that the service does not take for their age are counted in the gap", async () => {
  const played = await play();
  await played.pass(1);
  played.wire.lead(null);
  await played.pass(31);
  const old = played.clock.now() - 20 * 365 * dayMs;
  const queue = await Queue.open(played.state.queueFolder);
  for (const nth of [0, 1]) {
    const at = old + nth * 1000;
    await queue.append({ at, sample: { sampled_at: new Date(at).toISOString(), tps: 20 } });
  }
  await queue.close();
  await played.restart();
  played.wire.lead(played.service.port);
  await played.pass(90);
  const gap = (await played.events()).find(({ type }) => type === "agent_gap");
  expect(gap).toMatchObject({ metadata: { samples: 2, from: new Date(old).toISOString() } });
  await played.close();
});

it("[OUR-AGT-21] a pause whose file cannot be looked at goes on, and is told once", async () => {
  const played = await play();
  played.process(41);
  await played.pass(31);
  await played.state.keepPause(played.clock.now(), false);
  await played.pass(2);
  expect(await played.status()).toMatchObject({ state: "paused" });
  const { isPaused } = played.state;
  played.state.isPaused = () =>
    Promise.reject(Object.assign(new Error("EMFILE: too many"), { code: "EMFILE" }));
  await played.pass(61);
  expect(await played.status()).toMatchObject({ state: "paused" });
  expect(played.lines.filter((line) => line.includes("pause cannot be used (EMFILE)"))).toHaveLength(1);
  played.state.isPaused = isPaused;
  await played.state.endPause();
  await played.pass(2);
  expect(await played.status()).toMatchObject({ state: "running" });
  await played.close();
});

it("[OUR-AGT-21] a process that cannot be searched for is not gone: heartbeats go on", async () => {
  let fails = false;
  const played = await play({
    install: {
      findProcess: async () => {
        if (fails) throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
        return { pid: 41, startTicks: 1, java: false, arguments: [] };
      },
    },
  });
  played.figures({ measured: { cpu_usage: 3 } });
  await played.pass(31);
  expect(await played.status()).toMatchObject({ state: "running" });
  fails = true;
  await played.pass(120);
  expect(await played.status()).toMatchObject({ state: "running" });
  expect(played.lines.filter((line) => line.includes("cannot be searched for (EMFILE)"))).toHaveLength(1);
  await played.close();
});
