import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { PeriodComparison } from "../../../src/core/metric/period-comparison.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import { dayMs, handClock, hourMs, minuteMs } from "../../support/clock.ts";
import {
  roomyPlans,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";

let service: TestService;
let owner: Account;
let server: LinkedServer;
let token: string;
const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
const stepMs = 5 * minuteMs;
const slowerFrom = clock.now() - 7 * dayMs;

/** Ticks take 20 ms with 7 players, 30 ms from a week ago on, and differ a little from day to day. */
async function fill(days: number): Promise<void> {
  const count = (days * dayMs) / stepMs;
  const samples = Array.from({ length: count }, (_, index) => {
    const at = clock.now() - (count - index) * stepMs;
    const level = (at < slowerFrom ? 20 : 30) + (Math.floor(at / dayMs) % 5) / 10;
    const evening = (at % dayMs) / hourMs >= 20;
    return { sampled_at: new Date(at).toISOString(), mspt: level, player_count: evening ? 9 : 7 };
  });
  for (let from = 0; from < count; from += 1000) {
    const body = { samples: samples.slice(from, from + 1000) };
    const { status } = await service.request("POST", "/plugin/v1/samples", {
      token: server.credential,
      body,
    });
    expect(status).toBe(200);
  }
}

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  owner = await service.account("enterprise");
  server = await service.server(owner, { name: "Lobby" });
  token = await service.token(owner);
  await fill(14);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const compare = (query = "", secret = token, id = server.id): Promise<Answer> =>
  service.request("GET", `/api/v1/servers/${id}/metrics/compare${query}`, { token: secret });

const answerOf = async (query: string): Promise<PeriodComparison> => {
  const { status, json } = await compare(query);
  expect(status, query).toBe(200);
  return json as unknown as PeriodComparison;
};

const at = (offsetMs: number): string => new Date(clock.now() + offsetMs).toISOString();

describe("an answer", () => {
  it("[OUR-CPR-01] [OUR-CPR-02] is of the last week against the week before, unless asked otherwise", async () => {
    const answer = await answerOf("");
    expect(answer).toMatchObject({
      server_id: server.id,
      rule_version: "2",
      base: { from: at(-14 * dayMs), to: at(-7 * dayMs), points: 2016, peak_hour: 20 },
      target: { from: at(-7 * dayMs), to: at(0), points: 2016, peak_hour: 20 },
      caveats: [],
    });
    expect(answer.fields.map(({ field, verdict, reason }) => [field, verdict, reason])).toEqual([
      ["tps", "cannot_tell", "not_measured"],
      ["mspt", "worse", null],
      ["worst_tick_ms", "cannot_tell", "not_measured"],
      ["player_count", "no_difference", null],
      ["ram_used_mb", "cannot_tell", "not_measured"],
      ["cpu_usage", "cannot_tell", "not_measured"],
    ]);
    expect(answer.fields[1]?.shift).toBeCloseTo(10, 0);
    expect(await answerOf("?base=previous")).toEqual(answer);
  });

  it("[OUR-CPR-02] takes both periods as times with a zone, as dates, or as so long ago; the base may be the later one", async () => {
    const spans = async (query: string) => {
      const { base, target, fields } = await answerOf(`${query}&fields=mspt`);
      return [base.from, base.to, target.from, target.to, fields[0]?.verdict];
    };
    const [weekAgo, twoAgo] = [at(-7 * dayMs), at(-14 * dayMs)];
    const slower = [twoAgo, weekAgo, weekAgo, at(0), "worse"];
    expect(await spans("?target_from=-7d&base_from=-14d")).toEqual(slower);
    expect(await spans("?target_from=2026-11-13&target_to=now&base=previous")).toEqual(slower);
    expect(
      await spans(
        `?target_from=2026-11-13T01:00:00%2B01:00&base_from=${twoAgo}&base_to=2026-11-13&target_to=${at(0)}`,
      ),
    ).toEqual(slower);
    expect(await spans("?target_from=-14d&target_to=-7d&base_from=-7d&base_to=now")).toEqual([
      weekAgo,
      at(0),
      twoAgo,
      weekAgo,
      "better",
    ]);
    expect(await spans("?target_from=-4d")).toEqual([
      at(-8 * dayMs),
      at(-4 * dayMs),
      at(-4 * dayMs),
      at(0),
      "cannot_tell",
    ]);
  });

  it("[OUR-CPR-01] has each field once, in the order asked for", async () => {
    const { fields } = await answerOf("?fields=tps,mspt,tps");
    expect(fields.map(({ field }) => field)).toEqual(["tps", "mspt"]);
  });

  it("[OUR-CPR-03] is the same once samples are sealed in blocks", async () => {
    const samples = await answerOf(`?base_from=2026-11-06&target_from=2026-11-13&target_to=2026-11-20`);
    clock.advance(35 * dayMs);
    for await (const moved of sealSamples(service.app.db, clock.now())) expect(moved).toBeGreaterThan(0);
    const { json } = await service.request(
      "GET",
      `/api/v1/servers/${server.id}/metrics?from=2026-11-06T00:00:00Z&to=2026-11-20T00:00:00Z&fields=mspt`,
      { token },
    );
    expect(json).toMatchObject({ resolution_seconds: 30 });
    const rows = await answerOf(`?base_from=2026-11-06&target_from=2026-11-13&target_to=2026-11-20`);
    expect(rows).toEqual(samples);
  });
});

describe("refusals", () => {
  it.each([
    ["?base=next", "base"],
    ["?base=previous&base_from=-14d", "base"],
    ["?base=previous&base_to=-7d", "base"],
    ["?base_to=-7d", "base_to"],
    ["?target_to=-7d", "target_to"],
    ["?target_from=yesterday", "target_from"],
    ["?target_from=2026-11-19T08:00:00", "target_from"],
    ["?target_from=now", "target_from"],
    ["?target_from=-1d&target_to=-2d", "target_from"],
    ["?target_from=-999999d", "target_from"],
    ["?target_from=-400d", "target_from"],
    ["?target_from=-7d&target_to=2027-06-01", "target_to"],
    ["?base_from=-14d&base_to=-6d", "base_from"],
    ["?base_from=-6d&base_to=-5d", "base_from"],
    ["?base_from=-14d&base_to=-15d", "base_from"],
    ["?fields=", "fields"],
    ["?fields=paused_empty", "fields"],
    ["?range=24h", "range"],
  ])("[PAG-05] [OUR-CPR-02] %s is 400 and names %s", async (query, field) => {
    const { status, json } = await compare(query);
    expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", field]);
    expect(String(json["message"])).toContain(field);
  });

  it("[OUR-CPR-02] a period that the plan does not show is refused, whichever it is", async () => {
    const pro = await service.account("pro");
    const own = await service.server(pro);
    const secret = await service.token(pro);
    const asked = async (query: string) => {
      const { status, json } = await compare(query, secret, own.id);
      return status === 200 ? status : [status, json["error"], json["retention_days"]];
    };
    expect(await asked("?target_from=-15d")).toBe(200);
    expect(await asked("?target_from=-16d")).toEqual([403, "retention_exceeded", 30]);
    expect(await asked("?target_from=-32d&target_to=-31d&base_from=-7d&base_to=now")).toEqual([
      403,
      "retention_exceeded",
      30,
    ]);
  });

  it("[OUR-CPR-01] takes a plan with monitoring, the scope, and an own server", async () => {
    const free = await service.account("free");
    const own = await service.server(free);
    expect((await compare("", await service.token(free), own.id)).json["error"]).toBe("plan_required");
    const narrow = await service.token(owner, ["servers:read"]);
    expect((await compare("", narrow)).json["error"]).toBe("missing_scope");
    const admin = await service.token(await service.account("pro", "admin"));
    const stranger = await service.token(await service.account("pro"));
    for (const secret of [admin, stranger]) expect((await compare("", secret)).status).toBe(404);
    expect((await compare("", token, "not-an-id")).status).toBe(404);
  });
});
