import { changePlan } from "../../../src/services/access/change-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { seriesFields } from "../../../src/core/metric/fields.ts";
import type { Json } from "../../support/payload.ts";
import {
  roomyPlans,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { fillBlocks } from "../../store/metric/fill-blocks.ts";
import { dayMs, handClock, hourMs, minuteMs } from "../../support/clock.ts";

let service: TestService;
let owner: Account;
let server: LinkedServer;
let token: string;
const clock = handClock(Date.parse("2026-11-20T08:00:00.000Z"));

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  owner = await service.account("enterprise");
  server = await service.server(owner, { name: "Lobby" });
  token = await service.token(owner);
  // Two hours of samples, with half an hour missing in the middle.
  await send(
    Array.from({ length: 240 }, (_, index) => index).filter((index) => index < 90 || index >= 150),
    (index) => ({
      at: clock.now() - 2 * hourMs + index * 30_000,
      tps: index === 30 ? 4 : 20,
      mspt: index / 10,
    }),
  );
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

async function send(
  indexes: readonly number[],
  made: (index: number) => Json & { at: number },
): Promise<void> {
  const samples = indexes.map((index) => {
    const { at, ...values } = made(index);
    return { sampled_at: new Date(at).toISOString(), ...values };
  });
  const { status, json } = await service.request("POST", "/plugin/v1/samples", {
    token: server.credential,
    body: { samples },
  });
  expect([status, json["stored"]]).toEqual([200, samples.length]);
}

const metrics = (query = "", secret = token, id = server.id): Promise<Answer> =>
  service.request("GET", `/api/v1/servers/${id}/metrics${query}`, { token: secret });

const at = (offsetMs: number): string => new Date(clock.now() + offsetMs).toISOString();

describe("an answer", () => {
  it("[MET-01] [MET-02] [OUR-MET-03] [OUR-MET-04] [OUR-MET-16] is of the last 24 hours and six fields, in at most 500 points, unless asked otherwise", async () => {
    const { status, json } = await metrics();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      server_id: server.id,
      range: "24h",
      from: at(-dayMs),
      to: at(0),
      fields: ["tps", "mspt", "worst_tick_ms", "player_count", "ram_used_mb", "cpu_usage"],
      points_total: 180,
      points_returned: 180,
      reduced: false,
      resolution_seconds: 30,
    });
    expect(Object.keys(json)).toEqual([
      "server_id",
      "range",
      "from",
      "to",
      "resolution_seconds",
      "fields",
      "points_total",
      "points_returned",
      "reduced",
      "bucket_seconds",
      "aggregation",
      "columns",
      "columns_min",
      "columns_max",
      "summary",
      "gaps",
      "imported",
    ]);
    expect((await metrics("?chart=true")).json).toMatchObject({ error: "validation_error", field: "chart" });
  });

  it("[MET-04] [MET-05] [OUR-MET-05] is reduced, and keeps its summary, its spike and its gap", async () => {
    const whole = (await metrics("?range=6h&fields=tps")).json;
    const { json } = await metrics(`?from=${at(-2 * hourMs)}&fields=tps&max_points=12`);
    expect(json).toMatchObject({
      range: null,
      reduced: true,
      bucket_seconds: 600,
      points_total: 180,
      points_returned: 10,
      columns_min: { tps: [20, 4, 20, 20, 20, 20, 20, 20, 20, 20] },
      summary: whole["summary"],
      gaps: [{ from: at(-75.5 * minuteMs), to: at(-45 * minuteMs), seconds: 1830 }],
    });
    expect((json["columns"] as Json)["time"]).toHaveLength(10);
  });

  it("[OUR-MET-03] has the fields in the order asked for, each once, and takes every numeric field", async () => {
    const { json } = await metrics("?range=1h&fields=mspt,tps,mspt");
    expect(json["fields"]).toEqual(["mspt", "tps"]);
    expect(Object.keys(json["columns"] as Json)).toEqual(["time", "mspt", "tps"]);
    expect(Object.keys(json["summary"] as Json)).toEqual(["mspt", "tps"]);
    for (const field of seriesFields)
      expect((await metrics(`?range=1h&fields=${field}`)).status, field).toBe(200);
  });

  it("[MET-02] takes a `from` inclusive and a `to` exclusive, with any zone", async () => {
    const of = async (from: string, to: string): Promise<unknown> =>
      (await metrics(`?fields=mspt&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).json[
        "columns"
      ];
    const expected = { time: [at(-2 * hourMs), at(-2 * hourMs + 30_000)], mspt: [0, 0.1] };
    expect(await of(at(-2 * hourMs), at(-2 * hourMs + minuteMs))).toEqual(expected);
    expect(await of("2026-11-20T07:00:00+01:00", "2026-11-20T07:01:00+01:00")).toEqual(expected);
  });

  it("[OUR-MET-09] of a server without a sample is one gap", async () => {
    const silent = await service.server(owner);
    const { json } = await metrics("?range=1h", token, silent.id);
    expect(json).toMatchObject({
      points_total: 0,
      columns: { time: [], tps: [] },
      summary: { tps: { min: null, max: null, avg: null, p5: null, p95: null, count: 0 } },
      gaps: [{ from: at(-hourMs), to: at(0), seconds: 3600 }],
    });
  });
});

describe("refusals", () => {
  it.each([
    ["?range=2h", "range"],
    ["?range=", "range"],
    ["?range=24h&from=2026-11-19T08:00:00Z", "range"],
    ["?range=24h&to=2026-11-19T08:00:00Z", "range"],
    ["?to=2026-11-19T08:00:00Z", "to"],
    ["?from=2026-11-19T08:00:00", "from"],
    ["?from=2026-11-19", "from"],
    ["?from=1763539200", "from"],
    ["?from=2026-11-20T08:00:00Z", "from"],
    ["?from=2026-11-19T08:00:00Z&to=2026-11-19T08:00:00Z", "from"],
    ["?from=2026-11-19T08:00:00Z&to=2026-11-20T08:01:00.001Z", "to"],
    ["?from=2025-11-01T08:00:00Z", "from"],
    ["?fields=", "fields"],
    ["?fields=tps,", "fields"],
    ["?fields=tps,%20mspt", "fields"],
    ["?fields=paused_empty", "fields"],
    ["?fields=TPS", "fields"],
    [`?fields=${seriesFields.slice(0, 13).join()}`, "fields"],
    ["?fields=tps&fields=mspt", "fields"],
    ["?max_points=9", "max_points"],
    ["?max_points=2001", "max_points"],
    ["?max_points=1e2", "max_points"],
    ["?maxpoints=100", "maxpoints"],
  ])("[PAG-05] [OUR-MET-01] [OUR-MET-03] [OUR-MET-04] %s is 400 and names %s", async (query, field) => {
    const { status, json } = await metrics(query);
    expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", field]);
  });

  it("[MET-03] [OUR-MET-02] [ERR-15] a period that the plan does not show is refused, presets too, and says what is shown", async () => {
    const pro = await service.account("pro");
    const own = await service.server(pro);
    const secret = await service.token(pro);
    const asked = async (query: string) => {
      const { status, json } = await metrics(query, secret, own.id);
      return status === 200 ? status : [status, json["error"]];
    };
    expect(await asked("?range=30d")).toBe(200);
    expect(await asked(`?from=${at(-30 * dayMs - minuteMs)}`)).toBe(200);
    expect(await asked(`?from=${at(-30 * dayMs - minuteMs - 1)}`)).toEqual([403, "retention_exceeded"]);
    expect(await asked(`?from=${at(-40 * dayMs)}&to=${at(-35 * dayMs)}`)).toEqual([
      403,
      "retention_exceeded",
    ]);
    const { json } = await metrics("?range=90d", secret, own.id);
    expect(json).toMatchObject({ error: "retention_exceeded", retention_days: 30, oldest: at(-30 * dayMs) });
    expect((await metrics("?range=1y")).status).toBe(200);
  });

  it("[MET-06] [ERR-13] [OUR-ERR-01] a plan without monitoring is refused, behind what is wrong with the question", async () => {
    const free = await service.account("free");
    const own = await service.server(free);
    const secret = await service.token(free);
    expect((await metrics("", secret, own.id)).json["error"]).toBe("plan_required");
    expect((await metrics("?to=2026-11-19T08:00:00Z", secret, own.id)).json["error"]).toBe(
      "validation_error",
    );
    expect((await metrics("", secret, "no-such-server")).json["error"]).toBe("plan_required");
  });

  it("[ACC-30] [OUR-ERR-01] another account's server does not exist, for an admin neither, before the period is looked at", async () => {
    const stranger = await service.token(await service.account("pro"));
    const admin = await service.token(await service.account("pro", "admin"));
    for (const secret of [stranger, admin]) {
      const { status, json } = await metrics("?range=1y", secret);
      expect([status, json["error"]]).toEqual([404, "not_found"]);
    }
    expect((await metrics("", token, "019a9f5e-1d00-7000-8000-000000000999")).status).toBe(404);
    expect((await metrics("", token, "not-an-id")).status).toBe(404);
    expect((await metrics("", await service.token(owner, ["servers:read"]))).json["error"]).toBe(
      "missing_scope",
    );
  });
});

it("[MET-01] the history of a server that is no longer monitored stays readable", async () => {
  const shrunk = await service.account("enterprise");
  const first = await service.server(shrunk);
  const sample = { sampled_at: at(-minuteMs), tps: 18 };
  await service.request("POST", "/plugin/v1/samples", {
    token: first.credential,
    body: { samples: [sample] },
  });
  for (let made = 0; made < 3; made += 1) {
    clock.advance(1000);
    await service.server(shrunk);
  }
  await service.app.db.write(changePlan, shrunk.id, "pro", clock.now());
  const secret = await service.token(shrunk);
  const status = await service.request("GET", `/api/v1/servers/${first.id}/status`, { token: secret });
  expect(status.json["state"]).toBe("not_monitored");
  const { json } = await metrics("?range=1h&fields=tps", secret, first.id);
  expect(json).toMatchObject({ points_total: 1, columns: { tps: [18] } });
});

it("[OUR-MET-14] a question that touches more than 1,100,000 stored points is refused, and a shorter one is answered", async () => {
  const busy = await startTestService({ plans: roomyPlans, clock: clock.now });
  const account = await busy.account("pro");
  const { id } = await busy.server(account);
  const secret = await busy.token(account);
  const end = clock.now();
  await fillBlocks(busy.app.db, id, end - dayMs, 1_100_001, 78);
  const asked = (query: string) =>
    busy.request("GET", `/api/v1/servers/${id}/metrics${query}`, { token: secret });
  const refused = await asked("?fields=tps");
  expect([refused.status, refused.json["error"], refused.json["field"]]).toEqual([
    400,
    "validation_error",
    "range",
  ]);
  expect(refused.json["message"]).toContain("shorter");
  expect((await asked(`?fields=tps&from=${at(-dayMs)}`)).json["field"]).toBe("from");
  expect((await asked(`?fields=tps&from=${at(-dayMs + 78)}`)).json["points_total"]).toBe(1_100_000);
  expect(busy.defects).toEqual([]);
  await busy.close();
});
