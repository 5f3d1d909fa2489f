import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choosePeriod } from "../../../src/dashboard/pages/servers/charts/period.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { drawnIn, serverPage, type Drawn } from "./drawn-charts.ts";
import { monotonicNow, playedServer, type Played } from "./played-server.ts";

const minute = 60_000;
const time = monotonicNow(Date.parse("2026-11-20T12:00:00.000Z"));
let service: TestService;
let person: Visitor;
let server: Played;

beforeAll(async () => {
  service = await startTestService({ clock: time.now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  server = await playedServer(service, owner, "Lobby");
  await server.beat({ tps: 19.98, mspt: 21.4, player_count: 12 });
  const begin = time.now();
  await server.samples(
    Array.from({ length: 60 }, (_, index) => ({
      at: begin - (60 - index) * 30_000,
      tps: 20,
      mspt: 20 + index,
    })),
  );
});
afterAll(() => service.close());

const page = (query = ""): Promise<string> => serverPage(person, server.id, query);

describe("the period of the charts", () => {
  it("[OUR-LIV-08] shows the longest period of the plan instead of a longer one, and says so", async () => {
    const now = Date.parse("2026-11-20T12:00:00.000Z");
    const chosen = (range: string | null, days: number) => {
      const period = choosePeriod({ range, from: null, to: null }, days, now);
      return period && [period.preset?.[0], period.instead];
    };
    const planSays = (days: number, shown: string, asked: string) =>
      `The plan shows the last ${days} days, so the charts show ${shown} instead of ${asked}.`;
    expect(chosen("30d", 30)).toEqual(["30d", null]);
    expect(chosen("30d", 7)).toEqual(["7d", planSays(7, "7 d", "30 d")]);
    expect(chosen("7d", 1)).toEqual(["24h", planSays(1, "24 h", "7 d")]);
    expect(chosen("1y", 30)).toEqual(["30d", planSays(30, "30 d", "1 y")]);
    expect(chosen("1y", 365)).toEqual(["1y", null]);
    expect(chosen("2w", 30)?.[0]).toBe("6h");
    expect(chosen("2w", 30)?.[1]).toContain("a period that this page does not have");
    expect(chosen(null, 0)).toBe(null);
    const short = await startTestService({ plans: { pro: { retention_days: 2 } } });
    const owner = await short.account("pro");
    const visitor = await signedIn(short, owner);
    const { id } = await playedServer(short, owner, "Short");
    for (const range of ["1h", "6h", "24h", "7d", "30d", "1y", "", "%00", "7d&range=1h"]) {
      const { status, text } = await visitor.get(`/servers/${id}/charts?range=${range}`);
      expect(status).toBe(200);
      expect(text.includes("The plan shows the last 2 days, so the charts show 24 h instead of")).toBe(
        ["7d", "30d", "1y"].includes(range) || range.startsWith("7d"),
      );
    }
    expect(short.defects).toEqual([]);
    await short.close();
  });

  it("[OUR-LIV-19] shows the period between two times, cut to what the plan shows", () => {
    const now = Date.parse("2026-11-20T12:00:00.000Z");
    const between = (from: string | null, to: string | null) => {
      const period = choosePeriod({ range: null, from, to }, 7, now);
      return (
        period && [new Date(period.from).toISOString(), new Date(period.to).toISOString(), period.instead]
      );
    };
    const whole = "2026-11-20T12:00:00.000Z";
    expect(between("2026-11-19T10:00:00.000Z", "2026-11-19T11:30:00.000Z")).toEqual([
      "2026-11-19T10:00:00.000Z",
      "2026-11-19T11:30:00.000Z",
      null,
    ]);
    // A date field has no zone: it is UTC.
    expect(between("2026-11-19T10:00", null)).toEqual(["2026-11-19T10:00:00.000Z", whole, null]);
    expect(between("2026-11-20T11:59:50Z", "2027-01-01T00:00Z")?.slice(0, 2)).toEqual([
      "2026-11-20T11:59:00.000Z",
      whole,
    ]);
    const cut = between("2026-10-01T00:00Z", "2026-11-14T00:00Z");
    expect(cut?.slice(0, 2)).toEqual(["2026-11-13T12:00:00.000Z", "2026-11-14T00:00:00.000Z"]);
    expect(cut?.[2]).toContain("The plan shows the last 7 days");
    // Before all that the plan shows.
    const early = between("2026-09-01T00:00Z", "2026-09-02T00:00Z");
    expect(early?.slice(0, 2)).toEqual(["2026-11-20T06:00:00.000Z", whole]);
    expect(early?.[2]).toContain("The plan shows the last 7 days");
    for (const [from, to] of [
      ["2026-11-19T11:00Z", "2026-11-19T10:00Z"],
      ["2026-11-21T11:00Z", null],
      ["yesterday", null],
      [null, "2026-11-19T10:00Z"],
      ["-000001-01-01T00:00Z", "%00"],
    ] as const) {
      const period = between(from, to);
      expect(period?.slice(0, 2)).toEqual(["2026-11-20T06:00:00.000Z", whole]);
      expect(period?.[2]).toContain("are not a period in the past");
    }
  });

  it("[OUR-LIV-19] answers the charts of another period alone, and newer points as data", async () => {
    const at = (minutesAgo: number) => new Date(time.now() - minutesAgo * minute).toISOString();
    const query = new URLSearchParams({ from: at(20), to: at(12) });
    const part = await person.get(`/servers/${server.id}/charts?${query}&part=charts`);
    expect(part.status).toBe(200);
    expect(part.text.startsWith('<div class="stack" data-part="charts">')).toBe(true);
    const drawn = drawnIn(part.text);
    expect(drawn.times.length).toBeGreaterThan(10);
    expect(drawn.times.every((seconds) => seconds * 1000 >= Date.parse(at(20)))).toBe(true);
    const data = async (after: number) => {
      const answer = await person.get(`/servers/${server.id}/charts?range=1h&data=charts&after=${after}`);
      expect(answer.headers["content-type"]).toContain("application/json");
      expect(answer.headers["cache-control"]).toBe("no-store");
      return JSON.parse(answer.text) as Drawn;
    };
    const whole = await data(0);
    const [last = 0, beforeLast = 0] = [whole.times.at(-1), whole.times.at(-2)];
    expect((await data(beforeLast)).times).toEqual([last]);
    const nothing = await data(last);
    expect([nothing.times, nothing.lines[0]?.values]).toEqual([[], []]);
    const other = await signedIn(service, await service.account("pro"));
    expect((await other.get(`/servers/${server.id}/charts?data=charts`)).status).toBe(404);
    expect((await person.get(`/servers/${server.id}/charts?data=toString`)).status).toBe(404);
  });

  it("[OUR-LIV-20] has the thresholds of rules that are switched on, and marks that lead somewhere", async () => {
    const rule = { metric: "mspt", condition: "above", duration_minutes: "5", cooldown_minutes: "60" };
    await person.send(`/servers/${server.id}/rules`, "create-rule", {
      ...rule,
      name: "Slow",
      threshold: "45",
    });
    const drawn = drawnIn(await page("/charts?range=1h"));
    const mspt = drawn.lines.find(({ field }) => field === "mspt");
    expect(mspt?.thresholds).toEqual([{ value: 45, name: "Slow" }]);
    expect(drawn.lines.find(({ field }) => field === "tps")?.thresholds).toEqual([]);
  });
});
