import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingCodes } from "../../../src/core/health/health.ts";
import { healthFindingNames } from "../../../src/core/health/finding-words.ts";
import { alertPages, textOf, type AlertPages } from "../alerts/alerting.ts";
import { signedIn } from "../../support/visitor.ts";
import type { Json } from "../../support/service.ts";

let scene: AlertPages;
let token: string;
beforeAll(async () => {
  scene = await alertPages();
  token = await scene.service.token(scene.owner);
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
});

const pageOf = async (id = scene.server.id, query = ""): Promise<string> => {
  const { status, text } = await scene.visitor.get(`/servers/${id}${query}`);
  expect(status).toBe(200);
  return text;
};

/** The part of the page with this id, without the parts after it. */
const cardOf = (html: string, id: string): string =>
  new RegExp(`<section[^>]*id="${id}"[\\s\\S]*?</section>`).exec(html)?.[0] ?? "";

const healthOf = async (id = scene.server.id): Promise<Json> =>
  (await scene.service.request("GET", `/api/v1/servers/${id}/health`, { token })).json;

describe("the health of a server", () => {
  it("[OUR-HPG-04] states what is missing while nothing is known, and how to get it", async () => {
    const card = cardOf(await pageOf(), "health");
    expect(card).toMatch(/state unknown.*unknown/s);
    expect(textOf(card)).toContain("The server has never sent anything. Start the server with its plugin");
  });

  it("[OUR-HPG-01] is good where nothing is wrong, and the page has no other answer", async () => {
    await scene.beats(20, { mspt: 12, tps: 20, player_count: 4 });
    const html = await pageOf();
    const { headline } = (await healthOf()) as { headline: { text: string } };
    const card = cardOf(html, "health");
    expect(card).toMatch(/state good.*healthy/s);
    expect(textOf(card)).toContain(headline.text);
    expect(html).toMatch(/<h3>Server<\/h3><span class="state good">/);
    // Nothing of the collector, the processor and the process was sent, and nothing is usual yet.
    expect(textOf(card)).toContain("5 figures are not measured, so rules on them say nothing");
    expect(textOf(card)).toContain("Heap after a garbage collection is not sent by this server.");
  });

  it("[OUR-HPG-12] does not look healthy with a measurement of 15 TPS, before a finding holds", async () => {
    await scene.beats(1, { mspt: 66.5, mspt_p95: 90, tps: 15 });
    const html = await pageOf();
    expect(await healthOf()).toMatchObject({ verdict: "healthy", findings: [] });
    expect(cardOf(html, "health")).toMatch(/state watch.*slow now/s);
    expect(html).not.toMatch(/<h3>Server<\/h3><span class="state good">/);
    expect(html).toMatch(/class="figure bad"><dt>TPS <span class="state bad">.*?below 18/s);
    expect(html).toMatch(/class="figure bad"><dt>MSPT <span class="state bad">.*?limit 50 ms/s);
    const threshold = "tick_over_budget: MSPT is 50 ms or more";
    expect(textOf(cardOf(html, "health"))).toContain(threshold);
    const fleet = (await scene.visitor.get("/servers")).text;
    expect(textOf(fleet)).toContain(threshold);
    expect(fleet).toMatch(/state watch.*slow now.*<strong>running<\/strong>.*state bad.*>15</s);
    expect((await scene.visitor.get("/find?data=entries")).text).toContain('"about":"slow now"');
    await scene.beats(19, { mspt: 12, tps: 20, player_count: 4 });
    expect(await pageOf()).not.toMatch(/slow now|class="figure bad"/);
  });

  it("[OUR-HPG-01] [OUR-HPG-02] shows each finding with evidence, what changed around it, and links", async () => {
    await scene.beats(20, { mspt: 12, tps: 20 });
    await scene.events({
      local_id: "update-1",
      type: "plugin_updated",
      category: "custom",
      source: "Tests",
      severity: "info",
      title: "<b>MarketStalls</b> 2.1",
      timestamp: new Date(scene.clock.now).toISOString(),
    });
    await scene.beats(40, { mspt: 61.4, mspt_p95: 90, tps: 15.2 });
    const html = await pageOf();
    const card = cardOf(html, "health");
    const words = textOf(card);
    expect(card).toMatch(/state bad.*critical/s);
    expect(words).toContain("Ticks take 61.4 ms of the 50 ms they have (median of 15 min).");
    expect(words).toMatch(/since 2026-11-20 \d\d:\d\d UTC, 4\d min ago/);
    expect(words).toMatch(/MSPT, median of 15 min 61.4 ms threshold 50 ms · 30 s ago/);
    expect(words).toMatch(
      /Changed around its start, which need not be the cause: Plugin or mod updated: <b>MarketStalls<\/b> 2\.1 , at the same time/,
    );
    expect(card).toContain(`href="/servers/${scene.server.id}/profiles"`);
    expect(card).toContain(`href="/servers/${scene.server.id}/charts"`);
    const { findings } = (await healthOf()) as { findings: { code: string }[] };
    for (const { code } of findings) expect(card).toContain(`id="finding-${code}"`);
  });

  it("[OUR-HPG-03] leaves no green state beside a finding, and figures lead to theirs", async () => {
    const html = await pageOf();
    expect(html).toMatch(/<h3>Server<\/h3><strong>running<\/strong>/);
    for (const name of ["TPS", "MSPT", "MSPT p95"])
      expect(html).toMatch(new RegExp(`class="figure bad"><dt>${name} <a href="#finding-tick_over_budget">`));
    expect(html).not.toMatch(/<dt>Players <a/);
  });

  it("[OUR-HPG-05] lists what changed, and how the time of the period was spent", async () => {
    const html = await pageOf(scene.server.id, "/charts");
    expect(textOf(cardOf(html, "changes"))).toContain("Plugin or mod updated: <b>MarketStalls</b> 2.1");
    const { availability } = (await healthOf()) as { availability: Record<string, number> };
    const card = textOf(cardOf(html, "availability"));
    expect(card).toContain(`${availability["percent"]} % up`);
    expect(card).toMatch(/up 1 h \d+ min not monitored 22 h \d+ min/);
    const spent = Object.entries(availability).filter(([part]) => part.endsWith("_seconds"));
    expect(spent.reduce((sum, [, seconds]) => sum + seconds, 0)).toBe(86_400);
    expect(textOf(cardOf(await pageOf(scene.server.id, "/charts?range=7d"), "changes"))).toMatch(
      /2026-11-13 .* to 2026-11-20/,
    );
    const [from, to] = [180, 120].map((minutes) =>
      new Date(scene.clock.now - minutes * 60_000).toISOString(),
    );
    for (const part of ["", "&part=charts"]) {
      const zoomed = await pageOf(scene.server.id, `/charts?from=${from}&to=${to}${part}`);
      expect(textOf(cardOf(zoomed, "changes"))).toMatch(/No change was reported/);
      expect(textOf(cardOf(zoomed, "availability"))).toContain("not monitored 1 h");
    }
  });

  it("[OUR-HPG-03] has the same answer of a server that is down", async () => {
    scene.clock.now += 10 * 60_000;
    await scene.service.service.work.run();
    const html = await pageOf();
    expect(cardOf(html, "health")).toMatch(/state bad.*down.*The server sends nothing/s);
    expect(html).toMatch(/<h3>Server<\/h3><span class="state bad">/);
  });

  it("[OUR-HPG-11] is not shown to other accounts, and not without monitoring", async () => {
    const other = await signedIn(scene.service, await scene.service.account("pro"));
    for (const path of ["", "/periods", "/rules/preview"])
      expect((await other.get(`/servers/${scene.server.id}${path}`)).status).toBe(404);
    const poor = await scene.service.account("free");
    const { id } = await scene.service.server(poor, { name: "Poor" });
    const visitor = await signedIn(scene.service, poor);
    const now = await visitor.get(`/servers/${id}`);
    expect([now.status, cardOf(now.text, "health")]).toEqual([200, ""]);
    for (const path of ["/periods", "/rules/preview"]) {
      const { status, text } = await visitor.get(`/servers/${id}${path}`);
      expect(status).toBe(200);
      expect(textOf(text)).toContain("The feature is part of");
    }
  });

  it("[OUR-HPG-01] has a name for every finding, each another one", () => {
    expect(new Set(findingCodes.map((code) => healthFindingNames[code])).size).toBe(findingCodes.length);
  });
});
