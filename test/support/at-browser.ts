import type { Browser, BrowserContext, Locator } from "playwright-core";
import { expect } from "vitest";
import { startSession } from "../../src/contract/call/person.ts";
import type { Account } from "../../src/core/access/account.ts";
import { watchedPage, type WatchedPage } from "./browser.ts";
import type { TestService } from "./service.ts";

/** What is typed into the fields of a form, by their names: text, a choice, or whether (or which) boxes are ticked. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Somebody at a browser of their own, whose cookies and errors are nobody else's. */
export interface Somebody extends WatchedPage {
  readonly baseUrl: string;
  readonly context: BrowserContext;
  /** Opens a path here. */
  visit(path: string): Promise<void>;
  /** Clicks a link or button that leads to another page, and waits for that page. */
  follow(way: Locator): Promise<void>;
  /** The forms of the page that call an action. */
  form(action: string): Locator;
  /** Fills a form in and sends it; the only one of that action unless told which. */
  send(action: string, typed?: Typed, form?: Locator): Promise<void>;
  /** The page as it is read. */
  text(): Promise<string>;
  /**
   * Ends the visit. Fails when a page had an error on its console, but for what Chromium writes there of a page
   * that was refused with one of these statuses, asked another host for anything, or opened a dialog.
   */
  leave(refusals?: readonly number[]): Promise<void>;
}

export async function somebody(browser: Browser, baseUrl: string): Promise<Somebody> {
  const context = await browser.newContext();
  const watched = await watchedPage(context, baseUrl);
  const { page } = watched;
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const follow: Somebody["follow"] = async (way) => {
    await Promise.all([page.waitForEvent("load"), way.click()]);
  };
  const form: Somebody["form"] = (action) =>
    page.locator("form", { has: page.locator(`input[name="do"][value="${action}"]`) });
  return {
    ...watched,
    baseUrl,
    context,
    follow,
    form,
    visit: async (path) => void (await page.goto(baseUrl + path)),
    send: async (action, typed = {}, one = form(action)) => {
      for (const [name, value] of Object.entries(typed)) await fill(one.locator(`[name="${name}"]`), value);
      await follow(one.locator("button[type=submit]"));
    },
    text: () => page.locator("body").innerText(),
    leave: async (refusals = []) => {
      const isRefusal = (error: string): boolean =>
        refusals.some((status) =>
          error.startsWith(`Failed to load resource: the server responded with a status of ${status} `),
        );
      expect(watched.errors.filter((error) => !isRefusal(error))).toEqual([]);
      expect(watched.foreign).toEqual([]);
      expect(dialogs).toEqual([]);
      await context.close();
    },
  };
}

/** Somebody who is signed in to that account already. */
export async function signedInAt(
  browser: Browser,
  { app }: Pick<TestService, "app">,
  account: Account,
): Promise<Somebody> {
  const one = await somebody(browser, app.baseUrl);
  const { secret } = await startSession(app, account, "tests", app.clock());
  await one.context.addCookies([{ name: "tickmark", value: secret, url: app.baseUrl }]);
  return one;
}

async function fill(field: Locator, value: Typed[string]): Promise<void> {
  if (typeof value === "boolean") return field.setChecked(value);
  if (typeof value !== "string") {
    for (const box of await field.all())
      await box.setChecked(value.includes((await box.getAttribute("value")) ?? ""));
    return;
  }
  const isChoice =
    (await field.evaluate<string, { tagName: string }>((element) => element.tagName)) === "SELECT";
  if (isChoice) await field.selectOption(value);
  else await field.fill(value);
}
