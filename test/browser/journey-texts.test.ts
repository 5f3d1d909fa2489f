import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { startSession } from "../../src/contract/call/person.ts";
import { visible } from "../../src/core/text/plain-words.ts";
import { signedInAt, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { fits, hasCorpus } from "../support/corpus.ts";
import { isLong } from "../support/long.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../support/service.ts";
import { hostileWords, plainWords, recordedWords, type Words } from "../support/words.ts";
import { filledAccount, slots } from "./filled-account.ts";

/** What a page is made of: how many there are of each element, comment and attribute, and of links to no page. */
type Inventory = Readonly<Record<string, number>>;

const inventoryOf = (root: string): string => `((root) => {
  const counts = {};
  const count = (name) => { counts[name] = (counts[name] ?? 0) + 1; };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    count(node.nodeName);
    for (const { name } of node.attributes ?? []) count(node.nodeName + " " + name);
    if (node.href && !/^https?:$/.test(new URL(node.href, location.href).protocol)) count("another scheme");
  }
  return counts;
})(${root})`;

const takeInventory = inventoryOf("document");

/** A page as the browser reads it without showing it, or null where a script of its own moves something on it. */
const readInventory = (
  path: string,
): string => `fetch(${JSON.stringify(path)}).then((answer) => answer.text()).then((html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  return page.querySelectorAll("script").length > 1 ? null : ${inventoryOf("page")};
})`;

/** In the usual run one page of so many is shown even where nothing moves: to show it takes ten times as long. */
const shownOf = 8;

const nodesOf = (inventory: Inventory): number =>
  Object.entries(inventory).reduce((sum, [name, count]) => (name.includes(" ") ? sum : sum + count), 0);

/** Of what a page has more or fewer than its control, and how many. */
const difference = (one: Inventory, other: Inventory): Inventory =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
      const more = (one[name] ?? 0) - (other[name] ?? 0);
      return more === 0 ? [] : [[name, more]];
    }),
  );

/** A slow machine must not age the figures of one account more than those of its control: a second takes a minute. */
const started = Date.now();
const slowClock = (): number => started + Math.round((Date.now() - started) / 60);

let service: TestService;
let browser: Browser;
let admin: Account;
const total = { pages: 0, nodes: 0 };

/** What a page is made of, shown where that may make a difference. */
async function inventoryOfPage(who: Somebody, path: string, place: number): Promise<Inventory> {
  if (isLong || place % shownOf === 0) return inventoryAt(who, path);
  return (await who.page.evaluate<Inventory | null>(readInventory(path))) ?? inventoryAt(who, path);
}

/** Goes to a page, points at what moves there, and counts. */
async function inventoryAt(who: Somebody, path: string): Promise<Inventory> {
  await who.visit(path);
  // Asked of the document: a locator loads a large script of its own into every page.
  const found = await who.page.evaluate<string[]>(
    `[".flame", ".plot", ".flame-graph"].filter((name) => document.querySelector(name) !== null)`,
  );
  if (found.includes(".flame")) await who.page.locator(".flame-graph canvas").waitFor();
  for (const moving of found.filter((name) => name !== ".flame")) {
    const first = who.page.locator(moving).first();
    if (await first.isVisible()) await first.hover();
  }
  return who.page.evaluate<Inventory>(takeInventory);
}

interface Seen {
  readonly path: string;
  readonly inventory: Inventory;
}

/** The pages that have a node or attribute more or fewer than the same pages with plain words. */
function unlike(pages: readonly Seen[], controls: readonly Seen[]): unknown[] {
  expect(pages).toHaveLength(controls.length);
  return pages.flatMap(({ path, inventory }, index) => {
    total.pages += 1;
    total.nodes += nodesOf(inventory);
    const more = difference(inventory, controls[index]?.inventory ?? {});
    return Object.keys(more).length === 0 ? [] : [{ path, more }];
  });
}

/** Those pages in their order; each is opened by whoever is free. */
async function seenBy(people: readonly Somebody[], paths: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  const left = [...paths.entries()];
  const go = async (who: Somebody): Promise<void> => {
    await who.visit("/docs");
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, path] = next;
      seen[index] = { path, inventory: await inventoryOfPage(who, path, index) };
    }
  };
  await Promise.all(people.map(go));
  return seen;
}

/** Every page of an account that those words fill, as a browser has it. */
async function pagesWith(words: Words): Promise<Seen[]> {
  const { owner, paths } = await filledAccount(service, words);
  await startSession(service.app, owner, words.text(200), service.app.clock());
  const who = await signedInAt(browser, service, owner);
  const other = await signedInAt(browser, service, owner);
  const pages = await seenBy([who, other], [...paths, await consentPath(words)]);
  // A refused form says again what was typed.
  await who.visit("/settings/security");
  await who.send("create", { name: words.name(80).replaceAll("\n", " ") });
  pages.push({ path: "a refused form", inventory: await who.page.evaluate<Inventory>(takeInventory) });
  await Promise.all([who.leave([400, 401, 404]), other.leave([400, 401, 404])]);
  return [...pages, ...(await adminPages(owner))];
}

/** The admin pages of that account and of the offer that was imported with it. */
async function adminPages({ id, email }: Account): Promise<Seen[]> {
  const who = await signedInAt(browser, service, admin);
  const pages: Seen[] = [];
  const search = `/admin/accounts?${new URLSearchParams({ search: email })}`;
  for (const path of [`/admin/accounts/${id}`, search, "/admin/offers", "/admin/offers/filled"])
    pages.push({ path, inventory: await inventoryAt(who, path) });
  await who.leave();
  return pages;
}

/** The consent address for a program with such a name. */
async function consentPath(words: Words): Promise<string> {
  const redirect_uri = "http://127.0.0.1/callback";
  const { json } = await service.request("POST", "/oauth/register", {
    body: { client_name: words.text(200), redirect_uris: [redirect_uri] },
  });
  const client_id = String(json["client_id"]);
  return `/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, response_type: "code", code_challenge: "x".repeat(43), code_challenge_method: "S256" })}`;
}

describe.runIf(chromiumPath !== null)("texts of others, in a real browser", () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startTestService({ plans: roomyPlans, clock: slowClock }),
      launchBrowser(),
    ]);
    // Before any account is there: jobs would judge those that were filled until then, and no others.
    await service.service.work.run();
    admin = await service.account("enterprise", "admin");
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
    console.log(`${total.pages} pages of ${total.nodes} nodes: new nodes = 0, as with plain words`);
  });

  it("[OUR-ALP-07] [OUR-LIV-15] [OUR-RPG-15] [OUR-PPG-05] [OUR-TKN-07] add no node in any slot, and run nothing", async () => {
    const found = Object.values(slots).reduce((sum, { length }) => sum + length, 0);
    expect(found).toBeGreaterThan(80);
    const plain = await pagesWith(plainWords());
    // What was recorded is led through fields by a gate, and is read below; through every slot in a long run.
    const recorded = hasCorpus && isLong ? [recordedWords()] : [];
    const hostile: readonly Words[] = [hostileWords(), ...recorded];
    for (const words of hostile) expect(unlike(await pagesWith(words), plain)).toEqual([]);
    console.log(`${found} slots of uploads, ${plain.length} pages`);
  });

  it.skipIf(!hasCorpus)(
    "[OUR-LIV-15] are each read on the timeline, what nobody can see in them written out, and add no node",
    async () => {
      const words = recordedWords();
      const all = words.left;
      const descriptions: string[] = [];
      while (words.left.some((text) => fits(text, 4000))) descriptions.push(words.text(4000));
      const long = words.left.filter((text) => JSON.stringify({ text }).length < 16_000);
      const owner = await service.account();
      const timeline = async (texts: readonly string[], longTexts: readonly string[]): Promise<string> => {
        const server = await service.server(owner);
        const event = (changes: Json, index: number): Json => ({
          local_id: `text-${index}`,
          type: "note",
          source: "Tests",
          category: "custom",
          severity: "info",
          title: "A note",
          ...changes,
        });
        const rows = [
          ...texts.map((description) => ({ description })),
          ...longTexts.map((text) => ({ metadata: { text } })),
        ].map(event);
        const { status } = await service.request("POST", "/plugin/v1/events", {
          token: server.credential,
          body: { events: rows },
        });
        expect(status).toBeLessThan(300);
        return `/servers/${server.id}/timeline`;
      };
      const walk = async (who: Somebody, path: string): Promise<(Seen & { text: string })[]> => {
        const pages = [];
        for (let next: string | null = path; next !== null;) {
          const inventory = await inventoryAt(who, next);
          pages.push({
            path: next,
            inventory,
            text: await who.page.evaluate<string>("document.body.textContent"),
          });
          next = await who.page.evaluate<string | null>(
            `[...document.querySelectorAll("a[href*='cursor=']")].map((a) => a.getAttribute("href")).at(-1) ?? null`,
          );
          if (next?.startsWith("?")) next = path + next;
        }
        return pages;
      };
      const plain = await timeline(
        descriptions.map(() => "plain words"),
        long.map(() => "plain words"),
      );
      const hostile = await timeline(descriptions, long);
      const people = [
        await signedInAt(browser, service, owner),
        await signedInAt(browser, service, owner),
      ] as const;
      const [control, pages] = await Promise.all([walk(people[0], plain), walk(people[1], hostile)]);
      expect(unlike(pages, control)).toEqual([]);
      const read = pages.map(({ text }) => text).join("\n");
      const missing = all.filter((text) => fits(text, 4000) && !read.includes(visible(text)));
      console.log(
        `${all.length} texts on ${pages.length} pages: ${all.length - words.left.length} read as written, ${long.length} as JSON, ${words.left.length - long.length} too long for any event`,
      );
      expect(missing).toEqual([]);
      expect(descriptions.length).toBeGreaterThan(100);
      await Promise.all(people.map((who) => who.leave()));
    },
  );
});
