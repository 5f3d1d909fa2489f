import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stacksDocument, type Stacks } from "../core/profile/any-profile.ts";
import { signedInAt, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { fingersOn } from "../support/fingers.ts";
import { inspect, type Looks } from "../support/inspected.ts";
import { startTestService, type TestService } from "../support/service.ts";

const tick = "net.minecraft.server.MinecraftServer.tickServer";
const stacks: Stacks = [
  [tick, 100],
  [`${tick} Shop:net.example.Shop.run`, 200],
  [`${tick} Shop:net.example.Shop.run java.util.HashMap.get`, 300],
  [`${tick} Menu:net.other.Menu.open Shop:net.example.Shop.run java.util.HashMap.get`, 350],
  [`${tick} java.util.HashMap.get`, 50],
];

let service: TestService;
let browser: Browser;
let owner: Somebody;
let page: Page;
let path: string;

const facts = () => page.locator("[data-facts]").innerText();
const current = () => page.locator("[data-name]").innerText();
const query = () => new URL(page.url()).searchParams;
/** Waits until the address has a value, or none. */
const addressHas = (name: string, value: string | null) =>
  page.waitForURL((url) => url.searchParams.get(name) === value);
const rows = () => page.locator(".flame-table tbody tr").allInnerTexts();

describe.runIf(chromiumPath !== null)("somebody who looks for what a plugin costs", () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
    const account = await service.account("pro");
    const server = await service.server(account, { name: "Lobby" });
    const { json } = await service.request("POST", "/plugin/v1/profiles", {
      token: server.credential,
      body: stacksDocument(stacks),
    });
    path = `/servers/${server.id}/profiles/${String(json["profile_id"])}`;
    owner = await signedInAt(browser, service, account);
    page = owner.page;
    await owner.visit(path);
    await page.locator(".flame-graph canvas").waitFor();
  });
  afterAll(async () => {
    await owner.leave();
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
  });

  it("[OUR-PPG-06] [OUR-PPG-15] moves in the graph by keys and mouse, and back", async () => {
    expect(await page.locator(".flame-list").isVisible()).toBe(false);
    const graph = page.locator(".flame-graph");
    await graph.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    expect([await current(), await facts()]).toEqual([
      "open",
      "Menu · 35.00 % of all tick samples (350) · 0.00 % of its own",
    ]);
    await page.keyboard.press("Enter");
    await addressHas("frame", "4");
    await page.keyboard.press("Escape");
    await addressHas("frame", "1");
    await page.goBack();
    await addressHas("frame", "4");
    expect(await current()).toBe("open");
    await page.getByRole("button", { name: "Whole profile" }).click();
    await addressHas("frame", null);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.reload();
    await page.locator(".flame-graph canvas").waitFor();
    await graph.click({ position: { x: 20, y: 50 } });
    await addressHas("frame", "2");
    expect(await current()).toBe("run");
    await page.keyboard.press("-");
    await page.waitForURL((url) => url.searchParams.has("span"));
    await graph.hover({ position: { x: 20, y: 30 } });
    expect(await page.locator(".flame-note").innerText()).toContain("net.minecraft.server · server");
  });

  it("[OUR-PPG-15] chooses a frame with a finger", async () => {
    await owner.visit(path);
    await page.locator(".flame-graph canvas").waitFor();
    await page.locator(".flame-graph").scrollIntoViewIfNeeded();
    const box = await page.locator(".flame-graph").boundingBox();
    if (!box) throw new Error("There is no flame graph.");
    const fingers = await fingersOn(page);
    await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
    await fingers.tap([box.x + 20, box.y + 50]);
    await addressHas("frame", "2");
    expect(await current()).toBe("run");
    await fingers.end();
    await page.emulateMedia({ reducedMotion: null, forcedColors: "none" });
  });

  it("[OUR-PPG-15] [OUR-PPG-06] finds, opens rows of the table by keys, and shares the view by its address", async () => {
    await owner.visit(path);
    await page.locator(".flame-graph canvas").waitFor();
    await page.getByRole("button", { name: "Both" }).click();
    await page.getByLabel("Find").fill("shop");
    await addressHas("find", "shop");
    await page.getByText("1 method in 2 frames, on the stack of 85.00 %.").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    expect(await current()).toBe("run");
    await page.locator('.flame-table tr[aria-selected="true"]').focus();
    await page.keyboard.press("ArrowLeft");
    await addressHas("toggled", "2");
    await page.keyboard.press("ArrowDown");
    expect(await current()).toBe("open");
    await page.keyboard.press("ArrowRight");
    await addressHas("toggled", "4.2");
    const shown = await rows();
    expect(shown.length).toBe(6);
    await owner.visit(new URL(page.url()).pathname + new URL(page.url()).search);
    await page.locator(".flame-graph canvas").waitFor();
    expect(await rows()).toEqual(shown);
    expect(await page.getByLabel("Find").inputValue()).toBe("shop");
  });

  it("[OUR-PPG-14] sees hot methods, then callers and callees of one", async () => {
    await owner.visit(`${path}?show=table`);
    await page.getByRole("button", { name: "Hot methods" }).click();
    await addressHas("view", "hot");
    expect((await rows())[1]).toMatch(/get HashMap\s+jvm\s+70\.00 %\s+70\.00 %/);
    await page.locator(".flame-table tbody tr").nth(1).click();
    await page.getByRole("button", { name: "Callers and callees" }).click();
    await addressHas("method", "java.util.HashMap.get");
    await page.getByRole("button", { name: "Callers and callees of get" }).waitFor();
    expect((await rows())[1]).toMatch(/called by run Shop\s+Shop\s+65\.00 %/);
    await page.goBack();
    await addressHas("view", "hot");
    expect(query().get("method")).toBeNull();
  });

  it("[OUR-DSH-02] [OUR-DSH-03] reads graph and table in both themes and on a phone", async () => {
    await owner.visit(`${path}?show=both&find=shop`);
    await page.locator(".flame-graph canvas").waitFor();
    const looks: Looks = { serious: [], wide: [] };
    await inspect(page, "owner", path, looks);
    expect(looks).toEqual({ serious: [], wide: [] });
  });
});
