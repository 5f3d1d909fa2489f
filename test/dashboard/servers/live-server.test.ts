import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plotDataOf } from "../../../src/dashboard/pages/servers/plot-data.ts";
import type { MetricSeries } from "../../../src/core/metric/metric-series.ts";
import { textOf } from "../alerts/alerting.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { exampleMetrics } from "../../../src/endpoints/api/metric/example-metrics.ts";
import { drawnIn, serverPage, unescaped } from "./drawn-charts.ts";
import { monotonicNow, playedServer, type Played } from "./played-server.ts";

const minute = 60_000;
const start = Date.parse("2026-11-20T12:00:00.000Z");
const time = monotonicNow(start);
let service: TestService;
let person: Visitor;
let server: Played;

beforeAll(async () => {
  service = await startTestService({ clock: time.now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  server = await playedServer(service, owner, "Lobby");
});
afterAll(() => service.close());

const page = (query = ""): Promise<string> => serverPage(person, server.id, query);

describe("state and why", () => {
  it("[OUR-LIV-06] shows both steps in the API's words with their age", async () => {
    const before = await page();
    expect(before).toMatch(/>on<.*never was heard|>on<.*>never</s);
    expect(before).toContain("never seen");
    await server.beat({ tps: 19.98, mspt: 21.4, player_count: 12 }, { last_tick_age_ms: 38 });
    time.pass(12_000);
    const running = await page();
    expect(running).toMatch(/state good.*?on<.*?receiving.*?last heartbeat.*?12 s ago.*?running/s);
    expect(running).toMatch(/20<span class="unit"> TPS<\/span>.*?12 s ago/s);
    time.pass(5 * minute);
    const silent = await page();
    expect(silent).toMatch(/stale.*?class="old"[^>]*>5 min ago.*?unreachable/s);
  });

  it("[OUR-HLT-126] shows the disk with its largest world where it is sent, and marks it while it is nearly full", async () => {
    const figures = { tps: 20, mspt: 12 };
    await server.beat(figures);
    expect(await page()).not.toContain("Disk, free");
    const world_sizes = [
      { name: "<b>survival", size_mb: 20_480 },
      { name: "lobby", size_mb: 12 },
    ];
    const disk = { disk_free_mb: 51_200, disk_total_mb: 102_400, largest_world_mb: 20_480, world_sizes };
    const shownAt = async (free: number): Promise<string> => {
      // A quarter of an hour: a start of the server is judged by no rule.
      for (let minutes = 0; minutes < 16; minutes += 1) {
        time.pass(minute);
        await server.beat({ ...figures, ...disk, disk_free_mb: free, backup_disk_free_mb: 2048 });
      }
      return textOf(await page());
    };
    const roomy = await shownAt(51_200);
    expect(roomy).toContain("Disk, free 50.0 GB of 100.0 GB");
    expect(roomy).toContain("largest world: <b>survival , 20.0 GB");
    expect(roomy).toContain("backups: 2.0 GB free");
    expect(await shownAt(1024)).toContain("Disk, free critical 1.0 GB of 100.0 GB");
    expect(await page()).toContain("&lt;b>survival");
    time.pass(2 * minute * 60);
    await server.beat(figures);
    expect(await page()).not.toContain("Disk, free");
  });

  it("[OUR-LIV-14] answers for another person's server as for one that does not exist", async () => {
    const other = await signedIn(service, await service.account("pro"));
    const answers = await Promise.all(
      [server.id, "019a9f5e-1d00-7000-8000-0000000000ff", "nonsense"].map((id) =>
        other.get(`/servers/${id}`),
      ),
    );
    for (const { status, text } of answers) {
      expect(status).toBe(404);
      expect(text.replaceAll(/name="_csrf" value="[^"]*"/g, "")).toBe(answers[0]?.text);
    }
  });
});

describe("charts", () => {
  it("[OUR-LIV-07] never draws a line through time without measurements", async () => {
    time.pass(minute);
    const now = time.now();
    const at = (minutesAgo: number) => now - minutesAgo * minute;
    const figures = (minutesAgo: number) => ({ at: at(minutesAgo), tps: 20, mspt: 10 + minutesAgo / 10 });
    const told = Array.from({ length: 110 }, (_, index) => (index + 1) / 2).filter(
      (ago) => ago > 10 && (ago < 30 || ago > 40),
    );
    await server.samples(told.map(figures));
    const drawn = drawnIn(await page("/charts?range=1h"));
    const tps = drawn.lines.find(({ field }) => field === "tps")?.values ?? [];
    expect(tps.length).toBe(drawn.times.length);
    const breaks = drawn.times.filter((_, index) => tps[index] === null);
    const middle = now / 1000 - 35 * 60;
    expect(breaks.some((time) => Math.abs(time - middle) < 5 * 60)).toBe(true);
    expect(drawn.gaps.some(([from, to]) => from < middle && to > middle)).toBe(true);
    let bridged = 0;
    for (const [from, to] of drawn.gaps)
      for (let index = 1; index < drawn.times.length; index += 1) {
        const [left = 0, right = 0] = [drawn.times[index - 1], drawn.times[index]];
        const isDrawn = tps[index - 1] !== null && tps[index] !== null;
        if (isDrawn && left <= from && right >= to) bridged += 1;
      }
    console.log(`${drawn.gaps.length} gaps, lines drawn through them: ${bridged}`);
    expect(bridged).toBe(0);
    expect(drawn.lines.find(({ field }) => field === "tps")?.nominal).toBe(20);
    expect(drawn.lines.find(({ field }) => field === "mspt")?.nominal).toBe(50);
    expect(drawn.lines.find(({ field }) => field === "player_count")?.nominal).toBe(null);
  });

  it("[OUR-LIV-07] parts buckets too, and keeps what was not measured unknown", () => {
    const { output } = exampleMetrics;
    const data = plotDataOf(output);
    expect(data.times.length).toBe(output.points_returned + 2);
    expect(data.lines.tps?.values).toEqual([19.984, 18.21, null, 19.4, null, 19.972, 19.99]);
    expect(data.lines.tps?.min?.[2]).toBe(null);
    const unknown: MetricSeries = { ...output, columns: { ...output.columns, tps: [1, null, 3, 4, 5] } };
    expect(plotDataOf(unknown).lines.tps?.values).toEqual([1, null, null, 3, null, 4, 5]);
  });

  it("[OUR-LIV-09] shows smallest, mean and largest value, and the same points as a table", async () => {
    const text = await page("/charts?range=1h");
    const captions = text.match(/<figcaption>.*?<\/figcaption>/gs) ?? [];
    expect(captions.length).toBe(6);
    expect(captions[1]).toMatch(/MSPT.*min.*<span class="unit"> ms.*avg.*max/s);
    const table = text.slice(text.indexOf("The same points as a table"));
    expect((table.slice(0, table.indexOf("</table>")).match(/<tr>/g) ?? []).length).toBe(13);
  });

  it("[OUR-LIV-10] puts events and maintenance on the time axis", async () => {
    await server.events([{ title: "Everybody left" }]);
    await person.send(`/servers/${server.id}`, "start-maintenance", { duration: "30", reason: "Disk" });
    time.pass(minute);
    const drawn = drawnIn(await page("/charts?range=1h"));
    const mark = drawn.marks.find(({ label }) => label === "Everybody left");
    expect(mark?.href).toMatch(new RegExp(`^/servers/${server.id}/charts\\?from=.*&to=.*$`));
    expect(drawn.shades).toEqual([[time.now() / 1000 - 60, time.now() / 1000]]);
    await person.send(`/servers/${server.id}`, "end-maintenance");
  });

  it("[OUR-LIV-10] shades maintenance that began before the period, up to its planned end", async () => {
    const begun = time.now();
    await person.send(`/servers/${server.id}`, "start-maintenance", { duration: "10" });
    time.pass(20 * minute);
    const [from, to] = [5, 15].map((minutes) => new Date(begun + minutes * minute).toISOString());
    const query = new URLSearchParams({ from: from ?? "", to: to ?? "" });
    const [[first = 0, last = 0] = [], ...more] = drawnIn(await page(`/charts?${query}`)).shades;
    expect([Math.abs(first - begun / 1000) < 1, last - first, more]).toEqual([true, 600, []]);
  });
});

describe("timeline, maintenance and verdict", () => {
  it("[OUR-LIV-23] has a page for now, charts and timeline, and older addresses lead to them", async () => {
    const base = `/servers/${server.id}`;
    for (const [query, to] of [
      ["range=7d", "/charts?range=7d"],
      ["from=2026-11-20T11:00&to=2026-11-20T12:00", "/charts?from=2026-11-20T11%3A00&to=2026-11-20T12%3A00"],
      ["category=security", "/timeline?category=security"],
    ]) {
      const { status, headers } = await person.get(`${base}?${query}`);
      expect([query, status, headers["location"]]).toEqual([query, 303, base + to]);
    }
    for (const path of ["", "/charts", "/timeline"])
      for (const link of ["", "/charts", "/timeline"])
        expect(await page(path)).toContain(`href="${base}${link}"`);
    const now = await page();
    for (const name of ["TPS", "MSPT"])
      expect(now).toMatch(new RegExp(`<dt>${name} .*?<svg class="spark".*?<title>${name}, last 3 h`, "s"));
    const other = await signedIn(service, await service.account("pro"));
    for (const path of ["/charts", "/timeline"]) expect((await other.get(base + path)).status).toBe(404);
  });

  it("[OUR-LIV-11] pages through one category, newest first", async () => {
    const sent = Array.from({ length: 60 }, (_, index) => ({
      title: `Ban number ${index}`,
      category: "moderation",
      timestamp: new Date(time.now() - index * minute).toISOString(),
    }));
    await server.events(sent);
    const seen: string[] = [];
    let query = "?category=moderation";
    for (let pages = 0; query !== "" && pages < 10; pages += 1) {
      const text = await page(`/timeline${query}`);
      expect(text).not.toContain("Everybody left<");
      seen.push(...[...text.matchAll(/<bdi>(Ban number \d+)<\/bdi>/g)].map(([, title]) => title ?? ""));
      query = unescaped(/href="(\?[^"]*cursor=[^"]*)"/.exec(text)?.[1] ?? "");
    }
    expect(seen).toEqual(sent.map(({ title }) => title));
    expect((await person.get(`/servers/${server.id}/timeline?category=nonsense`)).status).toBe(200);
    expect((await person.get(`/servers/${server.id}/timeline?cursor=nonsense`)).status).toBe(400);
  });

  it("[OUR-LIV-12] starts, moves and ends maintenance", async () => {
    const path = `/servers/${server.id}`;
    const refused = await person.send(path, "start-maintenance", { duration: "3" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    const started = await person.send(path, "start-maintenance", { duration: "60", reason: "<b>Disk" });
    expect(started.status).toBe(303);
    expect(await page()).toMatch(/in progress.*in 1 h|in progress.*in 60 min/s);
    expect(await page()).toContain("&lt;b>Disk");
    await person.send(path, "start-maintenance", { duration: "240" });
    expect(await page()).toMatch(/in 4 h.*&lt;b>Disk.*a person, here/s);
    expect((await person.send(path, "end-maintenance")).status).toBe(303);
    expect(await page()).toContain("not in progress");
  });

  it("[OUR-LIV-13] shows an undecidable verdict in the place of a decided one", async () => {
    const text = await page("/charts");
    const api = await service.request("GET", `/api/v1/servers/${server.id}/regression`, {
      token: await service.token(await service.account("pro", "admin")),
    });
    expect(api.json["verdict"]).toBe("undecidable");
    expect(text).toMatch(/class="judged">.*undecidable.*There was no scheduled benchmark.*no_runs/s);
    expect(text).toMatch(/a drop of 5 % counts.*at least 8 days with runs/s);
  });
});
