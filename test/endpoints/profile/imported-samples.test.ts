import { expect, it } from "vitest";
import { one } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { sparkFile } from "../../support/spark-file.ts";
import { endField, windowFields } from "../../support/spark-windows.ts";
import { rowsOf } from "../../support/service.ts";
import { minuteMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { capturing } from "./capturing.ts";

const scene = capturing();
const spark = { "content-type": "application/x-spark-sampler" };

/** A profile of so many minutes before now, in which ticks took far too long. */
function slowProfile(minutes: number, endMs: number): Uint8Array {
  const startMs = endMs - minutes * minuteMs;
  const windows = Array.from({ length: minutes }, (_, index) => ({
    startMs: startMs + index * minuteMs,
    endMs: startMs + (index + 1) * minuteMs,
    tps: 8,
    medianMs: 120,
    longestMs: 400,
    cpuProcess: 0.5,
    players: 7,
    entities: 2000,
    chunks: 5000,
  }));
  return sparkFile({
    startMs,
    endMs,
    more: windowFields(windows),
    metadata: [endField({ p95Ms: 144, worlds: { overworld: 1500 } })],
  });
}

const iso = (at: number): string => new Date(at).toISOString();

const seriesOf = async (from: number): Promise<Json> => {
  const query = new URLSearchParams({ from: new Date(from).toISOString(), fields: "tps,mspt,player_count" });
  return (await scene.mine.ofServer(`/metrics?${query}`)).json;
};
const beat = (sample: Json) =>
  scene.service.request("POST", "/plugin/v1/heartbeat", {
    token: scene.mine.server.credential,
    body: { sent_at: iso(scene.clock.now()), plugin_version: "1", sample },
  });

it("[OUR-PRO-68] [OUR-PRO-71] a file's minutes stand on its profile, and in the series where the server has none", async () => {
  const { mine, clock } = scene;
  const end = clock.now() - 10 * minuteMs;
  const { profile_id } = await mine.store("/profiles", slowProfile(5, end), spark);
  const { detail } = (await mine.ofServer(`/profiles/${String(profile_id)}`)).json as { detail: Json };
  const { source, windows } = detail["measured"] as { source: string; windows: Json[] };
  expect([source, windows.length]).toEqual(["spark", 5]);
  expect(windows[0]).toMatchObject({
    end: new Date(end).toISOString(),
    tps: 8,
    mspt: 120,
    mspt_p95: 144,
    worlds_top: [{ name: "overworld", players: null, entities: 1500, chunks: null }],
  });
  const series = await seriesOf(end - 60 * minuteMs);
  expect(series).toMatchObject({
    points_total: 5,
    imported: [
      {
        source: "spark",
        from: new Date(end - 4 * minuteMs).toISOString(),
        to: new Date(end).toISOString(),
        points: 5,
      },
    ],
    summary: { tps: { min: 8, max: 8 }, mspt: { max: 120 }, player_count: { max: 7 } },
  });
});

it("[OUR-PRO-69] [OUR-PRO-70] the server's own samples stay, and take the place of a file's", async () => {
  const { mine, clock } = scene;
  const end = clock.now() - 10 * minuteMs;
  const late = (...minutes: number[]) =>
    scene.service.request("POST", "/plugin/v1/samples", {
      token: mine.server.credential,
      body: {
        samples: minutes.map((before) => ({
          sampled_at: new Date(end - before * minuteMs).toISOString(),
          tps: 20,
        })),
      },
    });
  expect((await late(4)).status).toBe(200);
  const { summary_id } = await mine.store("/profiles", slowProfile(5, end), spark);
  const tpsOf = ({ columns }: Json): unknown => (columns as { tps: unknown }).tps;
  expect(tpsOf(await seriesOf(end - 60 * minuteMs))).toEqual([20, 8, 8, 8]);
  await late(0);
  expect(tpsOf(await seriesOf(end - 60 * minuteMs))).toEqual([20, 8, 20]);
  const again = await mine.upload("/profiles", slowProfile(5, end), spark);
  expect([again.status, again.json["summary_id"]]).toEqual([200, summary_id]);
  expect(tpsOf(await seriesOf(end - 60 * minuteMs))).toEqual([20, 8, 20]);
});

it("[OUR-PRO-72] neither the status nor an alert rule sees them", async () => {
  const { mine, clock, service } = scene;
  const token = await service.token(mine.server.owner, ["monitoring:read", "monitoring:write"]);
  const path = `/api/v1/servers/${mine.server.id}/alert-rules`;
  const rule = { metric: "tps", condition: "below", threshold: 18, duration_minutes: 1, name: "Slow" };
  const made = await service.request("POST", path, { token, body: rule });
  expect([made.status, made.text]).toEqual([201, made.text]);
  await beat({ sampled_at: iso(clock.now()), tps: 20, mspt: 10 });
  clock.advance(20 * minuteMs);
  await mine.store("/profiles", slowProfile(10, clock.now() - 2000), spark);
  expect((await seriesOf(clock.now() - 60 * minuteMs))["points_total"]).toBe(11);
  await beat({ sampled_at: iso(clock.now()), tps: 20, mspt: 10 });
  expect((await mine.ofServer("/status")).json).toMatchObject({ current: { tps: 20 } });
  expect(rowsOf(await mine.get(`/alert-events?server_id=${mine.server.id}`))).toEqual([]);
});

it("[OUR-PRO-61] the filter by owner finds a profile by an owner on its stacks", async () => {
  const { mine } = scene;
  const plugins = Array.from({ length: 12 }, (_, index) => `net.p${index}.A.a`);
  const frames = [
    { frame: "net.wrapper.Wrapper.call", owner: "Wrapper", plugin: true },
    ...plugins.map((frame, index) => ({ frame, owner: `P${index}`, plugin: true })),
  ];
  const nodes = [
    { parent: -1, frame: 0, samples: 0 },
    ...plugins.map((_, index) => ({ parent: 0, frame: index + 1, samples: 100 })),
  ];
  await mine.store("/profiles", { schema: "service-profile/1", local_id: "wrapped", frames, nodes });
  const [row] = rowsOf(await mine.get("/monitoring/profiles?owner=Wrapper"));
  expect(row?.["owners_by_total"]).toMatchObject([{ owner: "Wrapper", self_pct: 0, total_pct: 100 }]);
});

it("[OUR-PRO-72] health judges their time again", async () => {
  const { mine, clock, service } = scene;
  const reopened = query<{ id: string }>()((db, $) =>
    db.selectFrom("server_health").select("reopened_from as at").where("server_id", "=", $.id),
  );
  await beat({ sampled_at: iso(clock.now()), tps: 20, mspt: 10 });
  clock.advance(60 * minuteMs);
  await beat({ sampled_at: iso(clock.now()), tps: 20, mspt: 10 });
  const end = clock.now() - 20 * minuteMs;
  await mine.store("/profiles", slowProfile(10, end), spark);
  const row = await service.service.database.read(() => one(reopened, { id: mine.server.id }));
  expect(row?.at).toBeLessThanOrEqual(end - 9 * minuteMs);
});
