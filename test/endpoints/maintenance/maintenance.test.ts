import { changePlan } from "../../../src/services/access/change-plan.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { describe, expect, it } from "vitest";
import { Maintenance } from "../../../src/core/maintenance/server-maintenance.ts";
import type { Json } from "../../support/payload.ts";
import { rowsOf, type Answer } from "../../support/service.ts";
import { dayMs, minuteMs, secondMs } from "../../support/clock.ts";
import { sceneOfServer, timelineOf } from "../../support/scene.ts";

const scene = sceneOfServer();
const { at, clock } = scene;
const { list } = timelineOf(scene);

const path = () => `/api/v1/servers/${scene.server.id}/maintenance`;
const post = (body: unknown, as = scene.token): Promise<Answer> =>
  scene.service.request("POST", path(), { token: as, body });
const start = async (duration_minutes: number, more: Json = {}): Promise<Json> =>
  (await post({ duration_minutes, ...more })).json;
const end = (body?: unknown, as = scene.token): Promise<Answer> =>
  scene.service.request("POST", `${path()}/end`, { token: as, ...(body !== undefined && { body }) });
const look = async (): Promise<Json> =>
  (await scene.service.request("GET", path(), { token: scene.token })).json;
const entries = async (): Promise<Json[]> => rowsOf(await list());
const told = async () =>
  (await scene.service.app.db.read(selectInbox, scene.server.owner.id, null, 100)).map(
    ({ message }) => message,
  );

const none = {
  in_progress: false,
  started_at: null,
  ends_at: null,
  remaining_seconds: null,
  reason: null,
  started_by: null,
  upcoming: null,
};

describe("a window", () => {
  it("[MNT-01] [MNT-02] [MNT-04] [OUR-MNT-01] is started, shown while it lasts, and stands in the timeline", async () => {
    expect(await look()).toEqual({ server_id: scene.server.id, ...none });
    const state = {
      server_id: scene.server.id,
      in_progress: true,
      started_at: at(),
      ends_at: at(60 * minuteMs),
      remaining_seconds: 3600,
      reason: "Moving 💾",
      started_by: "api",
      upcoming: null,
    };
    expect(await start(60, { reason: "Moving 💾" })).toEqual({ ...state, extended: false });
    expect(await look()).toEqual(state);
    expect(Object.keys(await look())).toEqual(Object.keys(Maintenance.shape));
    expect(await entries()).toMatchObject([
      {
        type: "maintenance_start",
        category: "lifecycle",
        source: "tickmark",
        severity: "info",
        title: "Maintenance started",
        timestamp: at(),
        metadata: {
          token: "a test's token",
          client: null,
          minutes: 60,
          ends_at: at(60 * minuteMs),
          reason: "Moving 💾",
        },
      },
    ]);
    clock.advance(60 * minuteMs - 1);
    expect(await look()).toMatchObject({ in_progress: true, remaining_seconds: 1 });
    clock.advance(1);
    expect(await look()).toEqual({ server_id: scene.server.id, ...none });
  });

  it("[MNT-05] [OUR-MNT-02] [ACC-32] is moved by another start, also to an earlier end, without a second entry", async () => {
    const first = await start(60, { reason: "Update" });
    clock.advance(secondMs);
    const again = await start(60);
    expect(again).toEqual({ ...first, ends_at: at(60 * minuteMs), extended: true });
    expect(await start(5, { reason: "Nearly done" })).toMatchObject({
      started_at: first["started_at"],
      ends_at: at(5 * minuteMs),
      remaining_seconds: 300,
      reason: "Nearly done",
      extended: true,
    });
    expect(await entries()).toHaveLength(1);
  });

  it("[MNT-03] [MNT-06] [MNT-07] [ACC-32] is ended once, with no body or an empty one", async () => {
    expect((await end()).json).toEqual({ ended: false, server_id: scene.server.id, ended_at: null });
    for (const body of [undefined, {}]) {
      await start(30);
      clock.advance(secondMs);
      expect((await end(body)).json).toEqual({ ended: true, server_id: scene.server.id, ended_at: at() });
      expect(await look()).toMatchObject(none);
      expect((await end(body)).json).toMatchObject({ ended: false });
    }
    expect(await entries()).toHaveLength(2);
  });

  it("[OUR-MNT-03] that many ask for at once is started once", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => start(30)));
    expect(answers.filter(({ extended }) => extended === false)).toHaveLength(1);
    expect([(await entries()).length, (await told()).length]).toEqual([1, 1]);
  });

  it("[OUR-MNT-05] is told to its owner when a token starts it or makes it much longer, not when a call is repeated", async () => {
    await start(30, { reason: "Update\u200b" });
    await start(30);
    clock.advance(minuteMs);
    await start(30);
    expect(await told()).toHaveLength(1);
    await start(1440);
    await start(10);
    const [longer, started] = await told();
    expect(started?.title).toContain("Maintenance was started");
    expect(longer?.title).toContain("Maintenance was extended");
    expect(started?.lines.join("\n")).toContain(String.raw`Update\u{200B}`);
    expect(await told()).toHaveLength(2);
  });
});

describe("after a clock jumped", () => {
  it("[OUR-MNT-04] no window stays for ever, and none has a negative rest", async () => {
    clock.advance(400 * dayMs);
    const later = await scene.service.token(scene.server.owner);
    expect((await post({ duration_minutes: 1440 }, later)).status).toBe(200);
    clock.advance(-400 * dayMs);
    expect(await look()).toMatchObject(none);
    expect((await end()).json["ended"]).toBe(false);
    expect(await start(10)).toMatchObject({ extended: false, remaining_seconds: 600 });
    // A clock that is set right by a moment ends nothing.
    clock.advance(-2 * minuteMs);
    expect(await look()).toMatchObject({ in_progress: true, started_at: at(), remaining_seconds: 720 });
    clock.advance(2 * minuteMs);
  });
});

describe("refusals", () => {
  it("[MNT-02] [ERR-03] [ERR-06] name the field: a duration from 5 to 1440 whole minutes, a reason of up to 200 characters", async () => {
    const wrong: readonly (readonly [string, Json])[] = [
      ["duration_minutes", {}],
      ...[4, 1441, 5.5, "60", null, true, -5].map(
        (duration_minutes) => ["duration_minutes", { duration_minutes }] as const,
      ),
      ...["x".repeat(201), "a\u0000b", "\ud800", "a\u001bb", null, 5].map(
        (reason) => ["reason", { duration_minutes: 5, reason }] as const,
      ),
    ];
    for (const [field, body] of wrong) {
      const { status, json } = await post(body);
      expect([body, status, json["error"], json["field"]]).toEqual([body, 400, "validation_error", field]);
    }
    expect((await post({ duration_minutes: 5, ends_at: at() })).json).toMatchObject({
      error: "field_not_allowed",
      allowed_fields: ["duration_minutes", "reason"],
    });
    expect((await end({ reason: "x" })).json).toMatchObject({
      error: "field_not_allowed",
      allowed_fields: [],
    });
    expect(await look()).toMatchObject(none);
    for (const [duration, reason] of [
      [5, "é".repeat(200)],
      [1440, ""],
      [60, "two\nlines\tkept"],
    ] as const)
      expect(await start(duration, { reason })).toMatchObject({ reason });
  });

  it("[ACC-12] [ERR-13] a token of any plan may carry the scope; without monitoring the writes are plan_required, the read is not", async () => {
    await scene.service.app.db.write(changePlan, scene.server.owner.id, "free", clock.now());
    for (const answer of [await post({ duration_minutes: 5 }), await end()])
      expect([answer.status, answer.json["error"]]).toEqual([403, "plan_required"]);
    expect(await look()).toMatchObject(none);
  });

  it("[OUR-ERR-01] [ERR-12] come in the one order: scope, input, plan, existence, ownership", async () => {
    const free = await scene.service.account("free");
    const admin = await scene.service.token(await scene.service.account("pro", "admin"));
    const reading = await scene.service.token(scene.server.owner, ["monitoring:read"]);
    const error = async (body: unknown, as: string) => (await post(body, as)).json["error"];
    expect(await error("{", reading)).toBe("missing_scope");
    expect(await error({ duration_minutes: 1 }, await scene.service.token(free))).toBe("validation_error");
    expect(await error({ duration_minutes: 5 }, await scene.service.token(free))).toBe("plan_required");
    expect(
      await error({ duration_minutes: 5 }, await scene.service.token(await scene.service.account("pro"))),
    ).toBe("not_found");
    expect(await error({ duration_minutes: 5 }, admin)).toBe("not_owner");
    expect((await end({}, admin)).json["error"]).toBe("not_owner");
    expect(await look()).toMatchObject(none);
  });
});
