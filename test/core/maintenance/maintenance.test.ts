import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsAt, requestWindow, type MaintenanceRecord } from "../../../src/core/maintenance/maintenance.ts";
import {
  Maintenance,
  toMaintenance as toAnswer,
  type Maintenance as State,
} from "../../../src/core/maintenance/server-maintenance.ts";
import { randomCases } from "../../support/long.ts";

const minute = 60_000;
const now = Date.UTC(2026, 10, 20, 8);
const serverId = "019a9f5e-1d00-7000-8000-000000000010";

const toMaintenance = (server: string, last: MaintenanceRecord | null, at: number): State =>
  toAnswer(server, { last, recurring: [] }, at);

const windowOf = ({
  endsAt = now + 30 * minute,
  ...changes
}: Partial<MaintenanceRecord> = {}): MaintenanceRecord => ({
  serverId,
  startedAt: now - minute,
  endsAt,
  toldUntil: endsAt,
  reason: "New disk",
  startedBy: "dashboard",
  ...changes,
});

const ask = (current: MaintenanceRecord | null, durationMinutes: number, reason: string | null = null) =>
  requestWindow(current, { serverId, durationMinutes, reason, by: "api", now });

describe("a window", () => {
  it("[MNT-01] holds from its start until just before its end", () => {
    const record = windowOf({ startedAt: now, endsAt: now + 5 * minute });
    expect(holdsAt(record, now)).toBe(true);
    expect(holdsAt(record, now + 5 * minute - 1)).toBe(true);
    expect(holdsAt(record, now + 5 * minute)).toBe(false);
    expect(holdsAt(null, now)).toBe(false);
  });

  it("[OUR-MNT-01] is told with every member, null when none is in progress", () => {
    expect(toMaintenance(serverId, windowOf(), now)).toEqual({
      server_id: serverId,
      in_progress: true,
      started_at: "2026-11-20T07:59:00.000Z",
      ends_at: "2026-11-20T08:30:00.000Z",
      remaining_seconds: 1800,
      reason: "New disk",
      started_by: "dashboard",
      upcoming: null,
    });
    const over = toMaintenance(serverId, windowOf(), now + 30 * minute);
    expect(Object.keys(over)).toEqual(Object.keys(Maintenance.shape));
    expect(over).toMatchObject({ in_progress: false, ends_at: null, remaining_seconds: null, reason: null });
    expect(toMaintenance(serverId, null, now)).toEqual(over);
  });

  it("[OUR-MNT-01] has a second left until it is over", () => {
    expect(toMaintenance(serverId, windowOf({ endsAt: now + 1 }), now).remaining_seconds).toBe(1);
  });
});

describe("a request", () => {
  it("[MNT-02] starts a window where none is in progress", () => {
    for (const current of [null, windowOf({ endsAt: now })]) {
      expect(ask(current, 60, "Update")).toEqual({
        record: {
          serverId,
          startedAt: now,
          endsAt: now + 60 * minute,
          toldUntil: now + 60 * minute,
          reason: "Update",
          startedBy: "api",
        },
        previousEnd: null,
        isNews: true,
      });
    }
  });

  it("[MNT-05] [OUR-MNT-02] moves the end of the one in progress, earlier too, and keeps the rest", () => {
    const current = windowOf();
    for (const minutes of [5, 30, 1440]) {
      const [endsAt, isNews] = [now + minutes * minute, minutes > 30];
      expect(ask(current, minutes)).toEqual({
        record: { ...current, endsAt, toldUntil: isNews ? endsAt : current.toldUntil },
        previousEnd: current.endsAt,
        isNews,
      });
    }
    expect(ask(current, 5, "Still at it").record.reason).toBe("Still at it");
  });

  it("[OUR-MNT-05] is worth telling when it starts a window, or makes one five minutes longer", () => {
    const later = (minutes: number) => ask(windowOf({ endsAt: now + 10 * minute }), minutes).isNews;
    expect(ask(null, 5).isNews).toBe(true);
    expect([5, 10, 14, 15, 1440].map(later)).toEqual([false, false, false, true, true]);
  });

  it("[OUR-MNT-05] small steps do not add up to a long window that nobody was told of", () => {
    let current: MaintenanceRecord | null = null;
    let toldUntil = now;
    for (let minutes = 5; minutes <= 1440; minutes += 4) {
      const { record, isNews } = ask(current, minutes);
      if (isNews) toldUntil = record.endsAt;
      expect(record.endsAt - toldUntil).toBeLessThan(5 * minute);
      current = record;
    }
  });
});

describe("after a clock jumped", () => {
  it("[OUR-MNT-04] a window that begins or ends later than any could is over", () => {
    const tolerated = 5 * minute;
    const day = 1440 * minute;
    expect(holdsAt(windowOf({ startedAt: now + tolerated }), now)).toBe(true);
    expect(holdsAt(windowOf({ startedAt: now + tolerated + 1 }), now)).toBe(false);
    expect(holdsAt(windowOf({ endsAt: now + day + tolerated }), now)).toBe(true);
    expect(holdsAt(windowOf({ endsAt: now + day + tolerated + 1 }), now)).toBe(false);
  });

  it("[OUR-MNT-04] no row is endless, and nothing told of one is negative or longer than a day", () => {
    const year = 366 * 24 * 60 * minute;
    const instants = fc.integer({ min: now - year, max: now + year });
    const near = fc.integer({ min: now - 10 * minute, max: now + 1450 * minute });
    const records = fc.record({
      serverId: fc.constant(serverId),
      startedAt: fc.oneof(instants, near),
      endsAt: fc.oneof(instants, near),
      toldUntil: instants,
      reason: fc.constant(null),
      startedBy: fc.constant("api" as const),
    });
    fc.assert(
      fc.property(records, fc.oneof(instants, near), (record, clock) => {
        const told = toMaintenance(serverId, record, clock);
        if (told.in_progress) {
          const { remaining_seconds, started_at, ends_at } = told;
          expect(remaining_seconds).toBeGreaterThan(0);
          expect(remaining_seconds).toBeLessThanOrEqual(86_400);
          expect(Date.parse(started_at ?? "")).toBeLessThanOrEqual(clock);
          expect(Date.parse(ends_at ?? "")).toBeGreaterThan(clock);
        }
        // Whatever the row, a little more than a day later it is over.
        if (holdsAt(record, clock)) expect(holdsAt(record, clock + 1445 * minute)).toBe(false);
        const { record: next } = requestWindow(record, {
          serverId,
          durationMinutes: 5,
          reason: null,
          by: "api",
          now: clock,
        });
        expect(holdsAt(next, clock)).toBe(true);
        expect(next.endsAt).toBe(clock + 5 * minute);
        expect(next.startedAt).toBeLessThanOrEqual(clock);
      }),
      { numRuns: randomCases(5000) },
    );
  });
});
