import { beforeEach, describe, expect, it } from "vitest";
import { recurringStart } from "../../../src/core/event/own-event.ts";
import { mostRecurring, type RecurringMaintenance } from "../../../src/core/maintenance/recurring.ts";
import { pastWindowsOf } from "../../../src/services/maintenance/past-windows-of.ts";
import { createRecurringMaintenance } from "../../../src/actions/maintenance/create-recurring-maintenance.ts";
import { deleteRecurringMaintenance } from "../../../src/actions/maintenance/delete-recurring-maintenance.ts";
import { listRecurringMaintenance } from "../../../src/actions/maintenance/list-recurring-maintenance.ts";
import { updateRecurringMaintenance } from "../../../src/actions/maintenance/update-recurring-maintenance.ts";
import { unlinkServer } from "../../../src/actions/server/unlink-server.ts";
import { resumeSchedules } from "../../../src/services/server/leave-account.ts";
import { newId } from "../../../src/store/engine/ids.ts";
import { storeEvents } from "../../../src/store/event/events.ts";
import { recurringOf } from "../../../src/store/maintenance/recurring.ts";
import { asPerson, refusalOf } from "../../support/as-person.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { sceneOfServer, timelineOf } from "../../support/scene.ts";
import { rowsOf } from "../../support/service.ts";

const scene = sceneOfServer();
const { at, clock } = scene;
const { list } = timelineOf(scene);

const api = async (method: string, path: string, body?: Json): Promise<Json> => {
  const options = { token: scene.token, ...(body && { body }) };
  return (await scene.service.request(method, `/api/v1${path}`, options)).json;
};
const look = (): Promise<Json> => api("GET", `/servers/${scene.server.id}/maintenance`);
const entries = async (): Promise<Json[]> => rowsOf(await list("?type=maintenance_start"));
const person = () => asPerson(scene.service, scene.server.owner);
/** The cron expression of a minute so far from now, every day, in UTC. */
const dailyAt = (offsetMs: number): string => {
  const date = new Date(clock.now() + offsetMs);
  return `${date.getUTCMinutes()} ${date.getUTCHours()} * * *`;
};
const beat = async (tps: number, seconds = 30): Promise<void> => {
  clock.advance(seconds * secondMs);
  await scene.service.request("POST", "/plugin/v1/heartbeat", {
    token: scene.server.credential,
    body: {
      sent_at: at(),
      boot_timestamp: at(-hourMs),
      plugin_version: "1.10.2",
      last_tick_age_ms: 40,
      sample: { sampled_at: at(), tps },
    },
  });
};

let start: number;
let made: RecurringMaintenance;
/** A daily window of half an hour that begins at the minute after next. */
beforeEach(async () => {
  start = Math.ceil((clock.now() + minuteMs) / minuteMs) * minuteMs;
  made = await (
    await person()
  )(createRecurringMaintenance, {
    server_id: scene.server.id,
    title: "Backup",
    schedule_cron: dailyAt(start - clock.now()),
    time_zone: "utc",
    duration_minutes: 30,
  });
});
const to = (instant: number): void => clock.advance(instant - clock.now());
const stamp = (instant: number): string => new Date(instant).toISOString();

describe("recurring maintenance", () => {
  it("[OUR-MNT-06] [OUR-MNT-17] is made by its owner, and planned", async () => {
    expect(made).toMatchObject({ title: "Backup", time_zone: "UTC", enabled: true });
    expect(made.next_starts_at).toBe(stamp(start));
    const ask = await person();
    expect((await ask(listRecurringMaintenance, { server_id: scene.server.id })).data).toEqual([made]);
    expect(await look()).toMatchObject({
      in_progress: false,
      upcoming: { starts_at: stamp(start), ends_at: stamp(start + 30 * minuteMs), reason: "Backup" },
    });
    const stranger = await asPerson(scene.service, await scene.service.account("pro"));
    const foreign = { recurring_id: made.id };
    expect(await refusalOf(stranger(updateRecurringMaintenance, { ...foreign, enabled: false }))).toBe(
      "not_found",
    );
    expect(await refusalOf(stranger(deleteRecurringMaintenance, foreign))).toBe("not_found");
    expect(await refusalOf(stranger(listRecurringMaintenance, { server_id: scene.server.id }))).toBe(
      "not_found",
    );
  });

  it("[OUR-MNT-06] [OUR-MNT-14] is refused beyond its limit and with times that make no sense", async () => {
    const ask = await person();
    const { id: _id, server_id, next_starts_at: _next, created_at: _at, enabled: _on, ...fields } = made;
    const input = { server_id, ...fields };
    for (const wrong of [
      { schedule_cron: "soon" },
      { time_zone: "Mars/Base" },
      { schedule_cron: "*/5 * * * *" },
      { duration_minutes: 4 },
      { duration_minutes: 1440 },
      { title: " " },
    ]) {
      expect(await refusalOf(ask(createRecurringMaintenance, { ...input, ...wrong }))).toBe(
        "validation_error",
      );
      expect(await refusalOf(ask(updateRecurringMaintenance, { recurring_id: made.id, ...wrong }))).toBe(
        "validation_error",
      );
    }
    for (let count = 1; count < mostRecurring; count += 1)
      await ask(createRecurringMaintenance, { ...input, title: `Backup ${count}` });
    expect(await refusalOf(ask(createRecurringMaintenance, { ...input, title: "One more" }))).toBe(
      "limit_reached",
    );
  });

  it("[OUR-MNT-10] is in progress from its first instant, whether or not a job ran, wherever windows are read", async () => {
    await api("POST", `/servers/${scene.server.id}/alert-rules`, {
      name: "Low TPS",
      metric: "tps",
      condition: "below",
      threshold: 18,
      duration_minutes: 0,
    });
    await beat(20, 1);
    to(start - 1);
    expect(await look()).toMatchObject({ in_progress: false });
    to(start);
    expect(await look()).toMatchObject({
      in_progress: true,
      started_at: stamp(start),
      ends_at: stamp(start + 30 * minuteMs),
      reason: "Backup",
      started_by: "schedule",
    });
    const overview = await api("GET", "/monitoring/overview");
    expect((overview["data"] as Json[])[0]?.["maintenance_ends_at"]).toBe(stamp(start + 30 * minuteMs));
    await beat(5);
    const alerts = (await api("GET", `/alert-events?server_id=${scene.server.id}`))["data"] as Json[];
    expect(alerts).toMatchObject([{ status: "open", in_maintenance: true, notified: false }]);
    expect(await scene.service.app.db.read(pastWindowsOf, scene.server.id, start, clock.now())).toEqual([
      { startedAt: start, endsAt: start + 30 * minuteMs },
    ]);
    to(start + 29 * minuteMs);
    const health = await api("GET", `/servers/${scene.server.id}/health?range=1h`);
    const { availability } = health as { availability: Json };
    expect(availability["maintenance_seconds"]).toBeGreaterThan(25 * 60);
    // The alert that is still open is sent when the window is over.
    to(start + 30 * minuteMs);
    expect(await look()).toMatchObject({ in_progress: false });
    await beat(5);
    await beat(5);
    const after = (await api("GET", `/alert-events?server_id=${scene.server.id}`))["data"] as Json[];
    expect(after[0]).toMatchObject({ notified: true });
  });

  it("[OUR-MNT-11] leaves an entry for each window, also of those that nobody saw", async () => {
    const { work } = scene.service.service;
    to(start + secondMs);
    await work.run();
    await work.run();
    expect(await entries()).toMatchObject([
      {
        timestamp: stamp(start),
        title: "Maintenance started",
        metadata: {
          recurring_id: made.id,
          minutes: 30,
          ends_at: stamp(start + 30 * minuteMs),
          reason: "Backup",
        },
      },
    ]);
    to(start + 3 * dayMs + hourMs);
    await work.run();
    expect((await entries()).map(({ timestamp }) => timestamp)).toEqual(
      [3, 2, 1, 0].map((day) => stamp(start + day * dayMs)),
    );
    const windows = await scene.service.app.db.read(pastWindowsOf, scene.server.id, start, clock.now());
    expect(windows).toEqual(
      [0, 1, 2, 3].map((day) => ({
        startedAt: start + day * dayMs,
        endsAt: start + day * dayMs + 30 * minuteMs,
      })),
    );
  });

  it("[OUR-MNT-12] is ended and moved as any window, and does not begin again", async () => {
    const path = `/servers/${scene.server.id}/maintenance`;
    to(start + minuteMs);
    expect(await api("POST", path, { duration_minutes: 60 })).toMatchObject({
      extended: true,
      started_at: stamp(start),
      ends_at: stamp(start + 61 * minuteMs),
      reason: "Backup",
    });
    expect(await api("POST", `${path}/end`)).toMatchObject({ ended: true });
    await scene.service.service.work.run();
    expect(await look()).toMatchObject({
      in_progress: false,
      upcoming: { starts_at: stamp(start + dayMs) },
    });
    expect(await entries()).toHaveLength(1);
  });

  it("[OUR-MNT-13] leaves the window in progress as it is when it is changed, paused or deleted", async () => {
    const ask = await person();
    to(start + minuteMs);
    const moved = { recurring_id: made.id, schedule_cron: dailyAt(2 * hourMs), title: "Moved" };
    const changed = await ask(updateRecurringMaintenance, moved);
    expect(changed.title).toBe("Moved");
    const current = { in_progress: true, ends_at: stamp(start + 30 * minuteMs), reason: "Backup" };
    expect(await look()).toMatchObject({ ...current, upcoming: { starts_at: changed.next_starts_at } });
    const paused = await ask(updateRecurringMaintenance, { recurring_id: made.id, enabled: false });
    expect(paused.next_starts_at).toBeNull();
    expect(await look()).toMatchObject({ ...current, upcoming: null });
    const resumed = await ask(updateRecurringMaintenance, { recurring_id: made.id, enabled: true });
    expect(resumed.next_starts_at).toBe(changed.next_starts_at);
    await ask(deleteRecurringMaintenance, { recurring_id: made.id });
    expect(await look()).toMatchObject({ ...current, upcoming: null });
    expect(await refusalOf(ask(deleteRecurringMaintenance, { recurring_id: made.id }))).toBe("not_found");
    expect(await entries()).toHaveLength(1);
  });

  it("[OUR-MNT-15] begins nothing while its server is unlinked, and goes on when the server is back", async () => {
    await (
      await person()
    )(unlinkServer, { server_id: scene.server.id });
    to(start + minuteMs);
    await scene.service.service.work.run();
    const { db } = scene.service.app;
    expect(await db.read(pastWindowsOf, scene.server.id, start, clock.now())).toEqual([]);
    await db.write(resumeSchedules, scene.server.id, clock.now());
    const [again] = await db.read(recurringOf, scene.server.id);
    expect(again?.nextStartsAt).toBe(start + dayMs);
  });

  it("[OUR-MNT-11] has all its windows of fifty days of one an hour", async () => {
    const { db } = scene.service.app;
    const first = start - 1200 * hourMs;
    const windows = Array.from({ length: 1200 }, (_, index) => ({
      startedAt: first + index * hourMs,
      endsAt: first + index * hourMs + 10 * minuteMs,
    }));
    const events = windows.map((window) =>
      recurringStart(
        { id: newId(window.startedAt), serverId: scene.server.id, now: window.startedAt },
        { recurringId: made.id, title: "Backup", ...window },
      ),
    );
    await db.write(storeEvents, events);
    expect(await db.read(pastWindowsOf, scene.server.id, first, clock.now())).toEqual(windows);
  });

  it("[OUR-MNT-16] is planned anew by the job after a clock ran ahead", async () => {
    const { work } = scene.service.service;
    clock.advance(400 * dayMs);
    await work.run();
    clock.advance(-400 * dayMs);
    await work.run();
    const [again] = (await (await person())(listRecurringMaintenance, { server_id: scene.server.id })).data;
    expect(again?.next_starts_at).toBe(stamp(start));
  });
});
