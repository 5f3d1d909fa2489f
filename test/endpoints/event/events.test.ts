import { changePlan } from "../../../src/services/access/change-plan.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { describe, expect, it } from "vitest";
import type { Json } from "../../support/payload.ts";
import { pageOf, rowsOf, type Answer } from "../../support/service.ts";
import { dayMs, minuteMs, secondMs } from "../../support/clock.ts";
import { event, sceneOfServer, timelineOf } from "../../support/scene.ts";

const scene = sceneOfServer();
const { at, clock } = scene;
const { list, send, titles } = timelineOf(scene);

describe("the list", () => {
  it("[EVT-02] [ERR-13] takes a plan with monitoring", async () => {
    await scene.service.app.db.write(changePlan, scene.server.owner.id, "free", clock.now());
    const { status, json } = await list();
    expect([status, json["error"]]).toEqual([403, "plan_required"]);
  });

  it("[EVT-02] [ERR-15] takes a period that the plan shows, and says what it shows", async () => {
    const back = (ms: number) => `?from=${at(-ms)}`;
    for (const inside of [back(30 * dayMs), back(30 * dayMs + minuteMs)])
      expect((await list(inside)).status).toBe(200);
    const { status, json } = await list(back(30 * dayMs + minuteMs + 1));
    expect([status, json["error"], json["retention_days"], json["oldest"]]).toEqual([
      403,
      "retention_exceeded",
      30,
      at(-30 * dayMs),
    ]);
    const enterprise = await scene.service.account("enterprise");
    const { id } = await scene.service.server(enterprise);
    const token = await scene.service.token(enterprise);
    expect((await list(back(365 * dayMs), token, id)).status).toBe(200);
    expect((await list(back(365 * dayMs + 2 * minuteMs), token, id)).status).toBe(403);
  });

  it("[OUR-EVT-06] goes from an instant on, and before another; without an end up to the newest entry", async () => {
    await send(
      ...[-3, -2, -1, 0, 1].map((s) => event(`${s}`, { title: `${s}`, timestamp: at(s * secondMs) })),
    );
    expect(await titles()).toEqual(["1", "0", "-1", "-2", "-3"]);
    expect(await titles(`?from=${at(-2 * secondMs)}`)).toEqual(["1", "0", "-1", "-2"]);
    expect(await titles(`?from=${at(-2 * secondMs)}&to=${at()}`)).toEqual(["-1", "-2"]);
    expect(await titles(`?from=${at(-dayMs)}&to=${at(30 * secondMs)}`)).toEqual(["-1", "-2", "-3"]);
  });

  it("[EVT-01] [EVT-04] [EVT-05] is filtered by category, severity, source and type, compared exactly", async () => {
    await send(
      event("1", { title: "ban" }),
      event("2", { title: "kick", type: "kick", severity: "info" }),
      event("3", { title: "start", type: "server_start", category: "lifecycle", source: "tickmark-plugin" }),
      event("4", { title: "cheat", category: "security", source: "Vulcan & co", severity: "error" }),
    );
    expect(await titles("?category=moderation")).toEqual(["kick", "ban"]);
    expect(await titles("?severity=error")).toEqual(["cheat"]);
    expect(await titles("?source=Vulcan%20%26%20co")).toEqual(["cheat"]);
    expect(await titles("?source=litebans")).toEqual([]);
    expect(await titles("?type=kick&category=moderation&severity=info&source=LiteBans")).toEqual(["kick"]);
    expect(await titles("?type=kick&severity=error")).toEqual([]);
  });

  it("[PAG-05] [ERR-06] refuses a filter that is no filter, by its name", async () => {
    const wrong: readonly (readonly [string, string])[] = [
      ["category", "?category=chat"],
      ["category", "?category=Moderation"],
      ["category", "?category="],
      ["category", "?category=custom&category=custom"],
      ["severity", "?severity=warn"],
      ["type", "?type="],
      ["type", `?type=${"x".repeat(65)}`],
      ["source", `?source=${"x".repeat(65)}`],
      ["source", "?source=a%00b"],
      ["from", "?from=2026-11-20"],
      ["from", `?from=${at(secondMs)}`],
      ["from", `?from=${at(-dayMs)}&to=${at(-2 * dayMs)}`],
      ["to", `?to=${at()}`],
      ["to", `?from=${at(-dayMs)}&to=${at(minuteMs + 1)}`],
      ["range", "?range=24h"],
      ["limit", "?limit=101"],
      ["limit", "?limit=0"],
    ];
    for (const [field, query] of wrong) {
      const { status, json } = await list(query);
      expect([query, status, json["error"], json["field"]]).toEqual([query, 400, "validation_error", field]);
    }
  });

  it("[PAG-01] [PAG-04] is walked by cursor, which belongs to one server and its filters", async () => {
    await send(
      ...Array.from({ length: 7 }, (_, index) => event(`${index}`, { title: `${index}`, timestamp: at() })),
    );
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await list(`?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      walked.push(...rowsOf(page).map(({ title }) => title));
      ({ cursor } = pageOf(page));
    } while (cursor !== null);
    expect(walked).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    const { cursor: next } = pageOf(await list("?limit=2"));
    const other = await scene.service.server(scene.server.owner);
    for (const wrong of [
      await list(`?limit=2&cursor=${next}&type=ban`),
      await list(`?cursor=${next}`, scene.token, other.id),
      await list(`?cursor=${next}x`),
    ])
      expect(wrong.json["error"]).toBe("invalid_cursor");
  });

  it("[OUR-ERR-01] refuses in the one order: input, plan, existence, period", async () => {
    const stranger = await scene.service.account("free");
    const token = await scene.service.token(stranger);
    const error = async (query: string, as = token) => (await list(query, as)).json["error"];
    expect(await error("?category=chat")).toBe("validation_error");
    expect(await error("?from=2000-01-01T00:00:00Z")).toBe("validation_error");
    expect(await error(`?from=${at(-300 * dayMs)}`)).toBe("plan_required");
    await scene.service.app.db.write(changePlan, stranger.id, "pro", clock.now());
    expect(await error(`?from=${at(-300 * dayMs)}`)).toBe("not_found");
    expect(await error(`?from=${at(-300 * dayMs)}`, scene.token)).toBe("retention_exceeded");
  });
});

describe("what tokens do", () => {
  const told = async (): Promise<unknown[]> =>
    (await scene.service.app.db.read(selectInbox, scene.server.owner.id, null, 100))
      .filter(({ kind }) => kind === "token_action")
      .map(({ message }) => message);
  const patch = (path: string, body: Json) =>
    scene.service.request("PATCH", `/api/v1${path}`, { token: scene.token, body });

  it("[OUR-EVT-07] [OUR-EVT-08] a server shown or hidden stands in its timeline, and its owner is told", async () => {
    const path = `/servers/${scene.server.id}`;
    for (const nothing of [{ is_public: false }, { name: "Other" }, { notify_on_report: false }])
      expect((await patch(path, nothing)).status).toBe(200);
    expect([await titles(), await told()]).toEqual([[], []]);
    await patch(path, { is_public: true, show_address_on_report: false });
    await patch(path, { is_public: true });
    // Ids of one instant are in order only while nothing in this process makes ids by another clock.
    clock.advance(secondMs);
    await patch(path, { is_public: false, show_address_on_report: true, name: "Third" });
    const rows = rowsOf(await list("?category=security&source=tickmark&type=visibility_changed"));
    expect(rows.map(({ metadata }) => metadata)).toEqual([
      { token: "a test's token", client: null, is_public: false, show_address_on_report: true },
      { token: "a test's token", client: null, is_public: true },
    ]);
    expect(rows[0]).toMatchObject({ severity: "warning", timestamp: at(), duration_ms: null });
    const messages = JSON.stringify(await told());
    expect(await told()).toHaveLength(2);
    for (const words of ["a test's token", "is_public is true now", "Third"])
      expect(messages).toContain(words);
  });

  it("[OUR-EVT-07] a report published or hidden stands in the timeline of its server, and its author is told", async () => {
    const { id } = await scene.service.report(scene.server);
    const path = `/reports/${id}`;
    await patch(path, { visibility: "private", description: "calm" });
    expect([await titles(), await told()]).toEqual([[], []]);
    await patch(path, { visibility: "public" });
    await patch(path, { visibility: "public", private_notes: "x" });
    const rows = rowsOf(await list());
    expect(rows.map(({ type, metadata }) => [type, metadata])).toEqual([
      ["visibility_changed", { token: "a test's token", client: null, report_id: id, visibility: "public" }],
    ]);
    expect(await told()).toHaveLength(1);
  });
});
