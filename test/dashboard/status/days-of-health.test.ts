import { expect, it } from "vitest";
import { derivedStatus } from "../../../src/core/server/status.ts";
import { monitoredServer } from "../../../src/store/server/server-rows.ts";
import { pastWindowsOf } from "../../../src/services/maintenance/past-windows-of.ts";
import { readDays } from "../../../src/services/status-page/read-days.ts";
import { toTimestamp, utcDay } from "../../../src/core/time.ts";
import { dayMs, hourMs, minuteMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { served } from "../../support/scene.ts";
import { playedServer } from "../servers/played-server.ts";

const shared = served();

/** Minutes of three days in which the server is silent, and how each silence ends or begins. */
const silences: readonly (readonly [from: number, to: number, stops: boolean])[] = [
  [100, 103, false],
  // Across midnight.
  [1430, 1460, false],
  [2000, 2100, true],
  // An announced stop across midnight.
  [2800, 3000, true],
  [3500, 3501, false],
];

it("[OUR-STP-08] a day is what the health of that day says, across silences, stops and midnights", async () => {
  const { service, clock } = shared;
  const owner = await service.account("hosting");
  const server = await playedServer(service, owner, "Own");
  const first = utcDay(clock.now()) - 3 * dayMs;
  const isSilent = (minute: number): boolean => silences.some(([from, to]) => minute > from && minute < to);
  const now = clock.now();
  const samples = Array.from({ length: (now - first) / minuteMs }, (_, minute) => minute)
    .filter((minute) => minute > 20 && !isSilent(minute))
    .map((minute) => ({ at: first + minute * minuteMs, tps: 20, player_count: 1 }));
  for (let sent = 0; sent < samples.length; sent += 500) {
    clock.advance(minuteMs);
    await server.samples(samples.slice(sent, sent + 500));
  }
  await server.events(
    silences
      .filter(([, , stops]) => stops)
      .map(([from]) => ({
        type: "server_stop",
        category: "lifecycle",
        timestamp: toTimestamp(first + from * minuteMs),
      })),
  );
  await server.beat({ tps: 20 });
  const end = clock.now();
  const { db, plans } = service.app;
  const found = await db.read(monitoredServer, server.id);
  if (!found) throw new Error("The server is gone.");
  const from = first - dayMs;
  const days = await readDays(db, {
    server: found,
    status: derivedStatus(found, plans.hosting, end),
    maintenance: await db.read(pastWindowsOf, server.id, from, end),
    from,
    to: end,
  });
  expect(days).toHaveLength(5);
  const token = await service.token(owner);
  for (const [index, day] of days.entries()) {
    const start = from + index * dayMs;
    const period = new URLSearchParams({
      from: toTimestamp(start),
      to: toTimestamp(Math.min(start + dayMs, end)),
    });
    const { json } = await service.request("GET", `/api/v1/servers/${server.id}/health?${period}`, { token });
    expect([index, json["availability"] as Json]).toEqual([index, expect.objectContaining(day)]);
  }
  const minutes = (of: "down_seconds" | "stopped_seconds") => days.map((day) => Math.round(day[of] / 60));
  expect(minutes("stopped_seconds")).toEqual([0, 0, 180, 120, 0]);
  expect(minutes("down_seconds").slice(0, 3)).toEqual([0, 13, 20]);
  expect(clock.now() - now).toBeLessThan(hourMs);
});
