import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { signedInAt, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { largeProfile } from "../support/large-documents.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";

const dayMs = 86_400_000;
/** A sample every 10 minutes: a chart of 90 days has more of them than points. */
const everyMs = 600_000;
/** The aim for a frame while a person pans, ms: the 95th percentile. */
const aimMs = 20;
/** Frames that are watched: two seconds of a screen with 60 a second. */
const frames = 120;

let service: TestService;
let browser: Browser;
let owner: Somebody;
let server: LinkedServer;

/** Turns the wheel sideways by 4 pixels in each frame, to and fro, and returns how long each frame took, ms. */
const pan = (selector: string): string => `new Promise((resolve) => {
  const area = document.querySelector(${JSON.stringify(selector)});
  const { left, top, width, height } = area.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const times = [];
  const step = (now) => {
    times.push(now);
    if (times.length > ${frames}) return resolve(times.slice(1).map((time, index) => time - times[index]));
    const deltaX = times.length % 60 < 30 ? -4 : 4;
    (document.elementFromPoint(place.clientX, place.clientY) ?? area).dispatchEvent(new WheelEvent("wheel", { ...place, deltaX }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** The 95th percentile and the longest of the frames, in words. */
function measured(durations: readonly number[]): string {
  const sorted = durations.toSorted((one, other) => one - other);
  const share = (of: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(of * sorted.length))] ?? 0).toFixed(1);
  return `median ${share(0.5)} ms, p95 ${share(0.95)} ms (aim ${aimMs} ms), longest ${share(1)} ms`;
}

describe.runIf(chromiumPath !== null)("frames while a person pans", () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService({ plans: roomyPlans }), launchBrowser()]);
    const account = await service.account("enterprise");
    server = await service.server(account, { name: "Lobby" });
    const now = service.app.clock();
    const count = (90 * dayMs) / everyMs;
    const samples = Array.from({ length: count }, (_, index) => {
      const at = now - (index + 1) * everyMs;
      const reported = ReportedSample.parse({
        sampled_at: new Date(at).toISOString(),
        tps: 20 - (index % 7) / 4,
        mspt: 15 + (index % 70) / 3,
        mspt_p95: 24 + (index % 40),
        player_count: index % 60,
        ram_used_mb: 5000 + (index % 900),
        ram_max_mb: 10_240,
        heap_after_gc_mb: 3000 + (index % 500),
        cpu_usage: 30 + (index % 50),
      });
      return { sampledAt: at, reported };
    });
    for (let from = 0; from < count; from += 1000)
      await service.app.db.write(storeLateSamples, server.id, samples.slice(from, from + 1000), now);
    owner = await signedInAt(browser, service, account);
    await owner.page.setViewportSize({ width: 1280, height: 900 });
  }, 300_000);
  afterAll(async () => {
    await owner.context.close();
    await browser.close();
    await service.close();
  });

  it("of a chart of 90 days", async () => {
    await owner.visit(`/servers/${server.id}/charts?range=90d`);
    await owner.page.locator("[data-chart] .u-over").first().waitFor();
    await owner.page.waitForTimeout(1000);
    const strips = await owner.page.locator("[data-chart] .u-over").count();
    const durations = await owner.page.evaluate<number[]>(pan("[data-chart] .u-over"));
    expect(durations).toHaveLength(frames);
    console.log(`a chart of 90 days with ${strips} strips: ${measured(durations)}`);
  });

  it("of a flame graph of 100,000 nodes", async () => {
    const { json } = await service.request("POST", "/plugin/v1/profiles", {
      token: server.credential,
      body: largeProfile(1, 100_000),
      headers: { "content-encoding": "gzip", "content-type": "application/json" },
    });
    await owner.visit(`/servers/${server.id}/profiles/${String(json["profile_id"])}`);
    const graph = owner.page.locator(".flame-graph");
    await graph.locator("canvas").waitFor();
    await graph.focus();
    for (const _ of [1, 2, 3]) await owner.page.keyboard.press("+");
    await owner.page.waitForURL((url) => url.searchParams.has("span"));
    await owner.page.waitForTimeout(1000);
    const durations = await owner.page.evaluate<number[]>(pan(".flame-graph"));
    expect(durations).toHaveLength(frames);
    console.log(`a flame graph of 100,000 nodes: ${measured(durations)}`);
  });
});
