import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "../../src/contract/call/person.ts";
import { alertPages, epoch, type AlertPages } from "../dashboard/alerts/alerting.ts";
import { chromiumPath, launchBrowser, watchedPage, type WatchedPage } from "../support/browser.ts";
import { fingersOn } from "../support/fingers.ts";
import { inspect, type Looks } from "../support/inspected.ts";

let scene: AlertPages;
let browser: Browser;
let context: BrowserContext;
let watched: WatchedPage;
let page: Page;
let url: string;

describe.runIf(chromiumPath !== null)("somebody whose server became slow", () => {
  beforeAll(async () => {
    [scene, browser] = await Promise.all([alertPages(), launchBrowser()]);
    const { service, owner, clock } = scene;
    await scene.beats(15, { mspt: 20, tps: 20, player_count: 4 });
    await scene.beats(15, { mspt: 70, mspt_p95: 90, tps: 14, player_count: 5 });
    url = `http://127.0.0.1:${service.port}`;
    const { secret } = await startSession(service.app, owner, "tests", clock.now);
    context = await browser.newContext();
    await context.addCookies([{ name: "tickmark", value: secret, url }]);
    watched = await watchedPage(context, url);
    page = watched.page;
  });
  afterAll(async () => {
    await browser.close();
    expect(scene.service.defects).toEqual([]);
    await scene.service.close();
  });

  it("[OUR-HPG-01] [OUR-HPG-03] [OUR-DSH-02] [OUR-DSH-03] reads one answer on the page, in both themes and on a phone", async () => {
    const path = `/servers/${scene.server.id}`;
    await page.goto(url + path);
    expect(await page.locator("#health h2").innerText()).toContain("critical");
    await page.locator('.figure:has-text("MSPT") a[href="#finding-tick_over_budget"]').first().click();
    expect(await page.locator(":target").innerText()).toContain("Ticks take too long");
    const looks: Looks = { serious: [], wide: [] };
    await inspect(page, "owner", path, looks);
    expect(looks).toEqual({ serious: [], wide: [] });
  });

  it("[OUR-DSH-15] has all links on a wide page, and a menu on a phone", async () => {
    const wide = { width: 1280, height: 720 };
    await page.setViewportSize(wide);
    await page.goto(`${url}/servers`);
    const [menu, alerts] = [page.locator(".menu-button"), page.locator('nav a[href="/alerts"]')];
    expect([await menu.isVisible(), await alerts.isVisible()]).toEqual([false, true]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await menu.isVisible(), await alerts.isVisible()]).toEqual([true, false]);
    expect((await page.locator(".page-head").boundingBox())?.height).toBeLessThan(60);
    await page.getByRole("checkbox", { name: "Menu" }).focus();
    await page.keyboard.press("Space");
    expect(await alerts.isVisible()).toBe(true);
    await page.setViewportSize(wide);
  });

  it("[OUR-DSH-15] [OUR-LIV-21] opens the menu with a finger, and zooms the charts with two", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}/servers/${scene.server.id}/charts?range=1h`);
    const fingers = await fingersOn(page);
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      if (!box) throw new Error(`Nothing is shown at ${selector}.`);
      return box;
    };
    const menu = await boxOf(".menu-button");
    await fingers.tap([menu.x + menu.width / 2, menu.y + menu.height / 2]);
    await page.locator('nav a[href="/alerts"]').waitFor();
    await page.reload();
    await page.locator(".u-over").first().scrollIntoViewIfNeeded();
    const { x, y, width } = await boxOf(".u-over");
    const both = (from: number, to: number) =>
      [[x + width * from, y + 40] as const, [x + width * to, y + 40] as const] as const;
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes("part=charts")),
      fingers.pinch(both(0.4, 0.6), both(0.2, 0.8)),
    ]);
    const [from, to] = ["from", "to"].map((name) =>
      Date.parse(new URL(page.url()).searchParams.get(name) ?? ""),
    );
    // Three times as wide: a third of the hour, to the width of some pixels.
    expect(Math.abs((to ?? 0) - (from ?? 0) - 20 * 60_000)).toBeLessThan(60_000);
    await fingers.end();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it("[OUR-DSH-16] sees states, what is chosen, and the lines of charts in colours of the person's own", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${url}/servers/${scene.server.id}/charts?range=1h`);
    await page.locator(".u-over").first().waitFor();
    const styleOf = (selector: string, ...names: string[]): Promise<string[]> =>
      page.evaluate(
        `((style) => ${JSON.stringify(names)}.map((name) => style[name]))(getComputedStyle(document.querySelector(${JSON.stringify(selector)})))`,
      );
    expect(await styleOf(".tabs [aria-current]", "outlineStyle", "outlineWidth")).toEqual(["solid", "2px"]);
    // The line, the grid and the words of the axes are drawn in colours of their own.
    const drawn = Number(
      await page.evaluate(`(() => {
        const canvas = document.querySelectorAll(".uplot canvas")[1];
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Map();
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] === 255) {
            const color = data.slice(at, at + 3).join();
            colors.set(color, (colors.get(color) ?? 0) + 1);
          }
        return [...colors.values()].filter((count) => count > 20).length;
      })()`),
    );
    expect(drawn).toBeGreaterThanOrEqual(3);
    await page.goto(`${url}/servers/${scene.server.id}`);
    const [stroke, color] = await styleOf("#health .state svg", "stroke", "color");
    expect(stroke).toBe(color);
    await page.goto(`${url}${scene.rules}?metric=mspt`);
    const [ground, ink] = await styleOf("main button:not(.plain)", "backgroundColor", "color");
    expect(ground).not.toBe(ink);
    await page.locator("main button:not(.plain)").first().focus();
    await page.keyboard.press("Shift+Tab");
    expect(await styleOf(":focus-visible", "outlineStyle")).toEqual(["solid"]);
    await page.emulateMedia({ forcedColors: "none" });
  });

  it("[OUR-LIV-22] saves the charts as a table and as an image", async () => {
    await page.goto(`${url}/servers/${scene.server.id}/charts?range=1h`);
    const saved = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(`[data-save="${kind}"]`).click(),
      ]);
      return readFile(await download.path());
    };
    await page.getByText("Save or grab").click();
    const [head = "", first = "", ...more] = (await saved("csv")).toString().trim().split("\r\n");
    expect(head).toMatch(/^time,TPS,MSPT \(ms\),/);
    expect(first).toMatch(/^2026-[\dT:.-]+Z,20,20,/);
    expect(more.every((row) => /,[\d.]/.test(row))).toBe(true);
    expect((await saved("png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it("[OUR-LIV-21] grabs the time of the charts, shares the address, and sees what is measured meanwhile", async () => {
    await page.clock.install();
    await page.goto(`${url}/servers/${scene.server.id}/charts?range=1h`);
    const charts = page.locator('[data-part="charts"]');
    const shown = () => new URL(page.url()).searchParams;
    const over = charts.locator(".u-over").nth(1);
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (!box) throw new Error("There is no chart.");
    const at = (share: number) => [box.x + box.width * share, box.y + 40] as const;
    const loaded = () => page.waitForResponse((answer) => answer.url().includes("part=charts"));
    await Promise.all([
      loaded(),
      (async () => {
        await page.mouse.move(...at(0.5));
        await page.mouse.down();
        for (const share of [0.6, 0.7, 0.75]) await page.mouse.move(...at(share));
        await page.mouse.up();
      })(),
    ]);
    const [from, to] = ["from", "to"].map((name) => Date.parse(shown().get(name) ?? ""));
    // A quarter of an hour, to the width of a pixel.
    expect(Math.abs((to ?? 0) - (from ?? 0) - 15 * 60_000)).toBeLessThan(10_000);
    const shared = page.url();
    await Promise.all([loaded(), page.goBack()]);
    expect(shown().get("range")).toBe("1h");
    await Promise.all([loaded(), page.goForward()]);
    expect(page.url()).toBe(shared);
    await charts.locator("[data-charts]").focus();
    await Promise.all([loaded(), page.keyboard.press("ArrowLeft")]);
    expect(Date.parse(shown().get("from") ?? "")).toBeLessThan(from ?? 0);
    await Promise.all([loaded(), page.keyboard.press("-")]);
    await page.goto(shared);
    await charts.locator(".u-over").first().waitFor();
    expect(await charts.innerText()).toContain("every measurement");
    await Promise.all([loaded(), charts.locator(".u-over").nth(1).dblclick()]);
    expect(shown().has("from")).toBe(false);

    await scene.beats(1, { mspt: 71, tps: 14, player_count: 5 });
    const [answer] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes("data=charts")),
      page.clock.fastForward(16_000),
    ]);
    const newer = (await answer.json()) as { times: number[] };
    expect(newer.times).toContain(scene.clock.now / 1000 - 30);
    expect(newer.times.length).toBeLessThan(5);
    expect(watched.errors).toEqual([]);
    await page.clock.resume();
  });

  it("[OUR-HPG-06] [OUR-HPG-07] sees the preview of a rule follow its form", async () => {
    await page.goto(`${url}${scene.rules}?metric=mspt`);
    const preview = page.locator("[data-preview]");
    await preview.getByText("This rule would have fired once").waitFor();
    const threshold = page.getByLabel("Threshold, ms");
    await threshold.fill("90");
    await preview.getByText("This rule would not have fired").waitFor();
    await threshold.fill("");
    await preview.getByText("Type a threshold").waitFor();
    expect(watched.errors).toEqual([]);
    await context.setOffline(true);
    await threshold.fill("60");
    await preview.getByText("The preview could not be loaded").waitFor();
    await context.setOffline(false);
    await threshold.fill("65");
    await preview.getByText("This rule would have fired once").waitFor();
    expect(await preview.getByText("The preview could not be loaded").isVisible()).toBe(false);
  });

  it("[OUR-HPG-13] drags the threshold on, also after the preview came, and moves it beyond the scale with keys", async () => {
    await page.goto(`${url}${scene.rules}?metric=mspt#new`);
    const threshold = page.getByLabel("Threshold, ms");
    const value = async () => Number(await threshold.inputValue());
    const handle = page.getByRole("slider");
    await handle.scrollIntoViewIfNeeded();
    const box = await handle.boundingBox();
    if (!box) throw new Error("There is no threshold to drag.");
    const moveTo = (down: number) => page.mouse.move(box.x + 50, box.y + box.height / 2 + down);
    const before = await value();
    await moveTo(0);
    await page.mouse.down();
    await Promise.all([page.waitForResponse((answer) => answer.url().includes("beside=form")), moveTo(20)]);
    const dragged = await value();
    expect(dragged).toBeLessThan(before);
    await page.locator("[data-preview-busy]").waitFor({ state: "hidden" });
    await moveTo(40);
    expect(await value()).toBeLessThan(dragged);
    await page.mouse.up();
    await threshold.fill("300");
    await handle.press("PageUp");
    expect(await value()).toBeGreaterThan(300);
    await handle.press("End");
    const { limits } = JSON.parse(
      (await page.locator("[data-rule-history]").getAttribute("data-rule-history")) ?? "",
    ) as { limits: { max: number } };
    const said = await Promise.all(
      ["aria-valuemax", "aria-valuenow"].map((name) => handle.getAttribute(name)),
    );
    expect([await value(), ...said.map(Number)]).toEqual([limits.max, limits.max, limits.max]);
  });

  it("[OUR-HPG-09] reads the hours of two periods from the chart", async () => {
    // Three days of measurements: an hour counts on days with four hours of them.
    const samples = Array.from({ length: 864 }, (_, index) => ({
      sampled_at: new Date(epoch - (index + 1) * 5 * 60_000).toISOString(),
      mspt: 20 + (index % 7),
      player_count: 4,
    }));
    const sent = { token: scene.server.credential, body: { samples } };
    expect((await scene.service.request("POST", "/plugin/v1/samples", sent)).status).toBe(200);
    const path = `/servers/${scene.server.id}/periods`;
    await page.goto(url + path);
    await page.locator("[data-hours]").scrollIntoViewIfNeeded();
    await page.locator("[data-hours] canvas").waitFor();
    const looks: Looks = { serious: [], wide: [] };
    await inspect(page, "owner", path, looks);
    expect(looks).toEqual({ serious: [], wide: [] });
    await page.locator("[data-hours] .u-over").hover();
    await page.getByText(/^\d\d:00 UTC: earlier .*, later /).waitFor();
  });

  it("[OUR-DSH-18] is led to the field that was refused", async () => {
    await page.goto(`${url}/servers`);
    await page.locator('main input[name="code"]').fill("ABCDEFGH");
    await page.getByRole("button", { name: "Link the server" }).click();
    await page.locator('input[name="code"][aria-invalid="true"]:focus').waitFor();
  });
});
