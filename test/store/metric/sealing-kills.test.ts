import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import { noon, sampleAt, times } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";
import { drain, old, seriesRows } from "./series-rows.ts";

const kills = isLong ? 30 : 2;

eachDatabase((databases, kind) => {
  const start = workers("seal");

  it(`[OUR-MET-12] a process that is killed while it seals loses no point: ${kills} times`, async () => {
    const url = await databases.url();
    const rows = seriesRows(await databases.open(url));
    const db = await databases.open(url);
    const random = dice(11);
    let moved = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const server = await rows.newOne();
      await rows.late(
        server,
        times(1000).map((index) => sampleAt(old + index * 30_000, { tps: index % 20 })),
      );
      const before = await rows.pointsOf(server);
      expect(before.length).toBe(1000);
      const worker = await start(url, String(noon));
      const ended = once(worker.process, "exit");
      worker.begin();
      const { stdout } = worker.process;
      if (!stdout) throw new Error("A worker's output is read.");
      for (let steps = Math.floor(random() * 5); steps >= 0; steps -= 1)
        await Promise.race([once(stdout, "data"), ended]);
      await delay(random() * 4);
      worker.process.kill("SIGKILL");
      await ended;
      expect(await rows.pointsOf(server)).toEqual(before);
      const left = await drain(sealSamples(db, noon));
      expect(await rows.pointsOf(server)).toEqual(before);
      expect(await rows.kept(server)).toMatchObject({ samples: [] });
      moved += 1000 - left;
    }
    console.log(`sealing on ${kind}, killed ${kills} times: ${moved} points were moved before, 0 lost`);
    expect(moved).toBeGreaterThan(0);
  });
}, sharedKinds);
