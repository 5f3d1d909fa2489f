import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { FlameTree } from "../../../src/core/profile/flame-tree.ts";
import { run } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { restoreServer } from "../../../src/store/server/links.ts";
import { exportedTables } from "../../../src/store/transfer/tables.ts";
import { filledAccount } from "../../browser/filled-account.ts";
import { openRaw } from "../../store/engine/raw-database.ts";
import { profilePayload } from "../../support/captures.ts";
import { dayMs, handClock } from "../../support/clock.ts";
import { readHtml } from "../../support/html.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import type { Words } from "../../support/words.ts";
import { patience } from "../../support/patience.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-shared-"));
const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
let service: TestService;
let owner: Account;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService({ clock: clock.now, plans: roomyPlans });
  owner = await service.account("enterprise");
  server = await service.server(owner, { name: "Lobby" });
  own = await signedIn(service, owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const dropDocument = query<{ id: string }>()((db, $) =>
  db.deleteFrom("profile_document").where("id", "=", $.id),
);
const spoilDocument = query<{ id: string; document: Buffer }>()((db, $) =>
  db.updateTable("profile_document").set({ document: $.document }).where("id", "=", $.id),
);
const dropReading = query<{ id: string }>()((db, $) =>
  db.deleteFrom("profile_reading").where("profile_id", "=", $.id),
);

/** The path of the page of a new profile whose frames have these names. */
async function profileOf(names: readonly string[]): Promise<string> {
  const body = profilePayload({
    frames: names.map((name) => ({ frame: name, owner: name, plugin: true })),
    nodes: names.map((_, index) => ({ parent: index - 1, frame: index, samples: 300 + index })),
    samples: { tick: null, total: null },
  });
  const sent = await service.request("POST", "/plugin/v1/profiles", { token: server.credential, body });
  return `/servers/${server.id}/profiles/${String(sent.json["profile_id"])}`;
}

/** The path of a new link to the profile at that path. */
async function linkTo(path: string, days = "7", who = own): Promise<string> {
  const made = await who.send(path, "make-link", { days });
  return /\/shared\/profiles\/[\w-]+/.exec(made.text)?.[0] ?? `no link: ${made.status}`;
}

const opened = (path: string, headers: Record<string, string> = {}) =>
  service.request("GET", path, { headers });

it("[OUR-SHP-01] [OUR-SHP-02] a link is good until it is revoked or expires, and another account has no part in it", async () => {
  const path = await profileOf(["a.Server.run", "b.Shop.sell"]);
  const link = await linkTo(path, "1");
  expect((await opened(link)).status).toBe(200);
  expect((await opened(`${link}?data=tree`)).text).toContain("b.Shop.sell");
  const page = (await own.get(path)).text;
  expect(page).not.toContain(link.slice("/shared/profiles/".length));
  const id = /name="link" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const other = await service.account("enterprise");
  const stranger = await signedIn(service, other);
  const theirs = await service.server(other, { name: "Theirs" });
  const body = profilePayload({});
  const sent = await service.request("POST", "/plugin/v1/profiles", { token: theirs.credential, body });
  const theirPath = `/servers/${theirs.id}/profiles/${String(sent.json["profile_id"])}`;
  expect((await stranger.send(theirPath, "revoke-link", { link: id })).status).toBe(404);
  expect((await opened(link)).status).toBe(200);
  expect((await own.send(path, "revoke-link", { link: id })).status).toBe(303);
  expect([(await opened(link)).status, (await opened(`${link}?data=tree`)).status]).toEqual([404, 404]);
  expect((await own.send(path, "make-link", { days: "2" })).status).toBe(400);
  const week = await linkTo(path);
  clock.advance(7 * dayMs - 1);
  expect((await opened(week)).status).toBe(200);
  clock.advance(1);
  expect((await opened(week)).status).toBe(404);
  const fresh = await signedIn(service, owner);
  own = fresh;
  // The log is written by the second.
  await vi.waitFor(async () => {
    const log = (await own.get("/settings/security")).text;
    expect(log).toContain("Link to a profile made");
    expect(log).toContain("Link to a profile revoked");
  }, patience);
});

it("[OUR-SHP-01] all links of the account are on one page, also to a profile that is not kept any more, and are revoked there", async () => {
  const all = "/settings/security/profile-links";
  const [kept, gone] = [await profileOf(["kept.A"]), await profileOf(["gone.A"])];
  const [good, dead] = [await linkTo(kept), await linkTo(gone)];
  await service.app.db.write(() => run(dropDocument, { id: gone.split("/").at(-1) ?? "" }));
  expect([(await opened(good)).status, (await opened(dead)).status]).toEqual([200, 404]);
  const { text } = await own.get(all);
  const pages = [...text.matchAll(/href="(\/servers\/[^"]*\/profiles\/[^"]*)"/g)].map(
    ([, href = ""]) => href,
  );
  expect(pages).toHaveLength(1);
  expect((await own.get(pages[0] ?? "")).text).toContain("kept.A");
  expect(text).toContain("a profile that is not kept any more; the link leads nowhere");
  const ids = [...text.matchAll(/name="link" value="([^"]*)"/g)].map(([, id = ""]) => id);
  expect(ids.length).toBeGreaterThanOrEqual(2);
  const stranger = await signedIn(service, await service.account("pro"));
  expect((await stranger.get(all)).text).toContain("No profile is shared<");
  for (const link of ids) expect((await own.send(all, "revoke-link", { link })).status).toBe(303);
  expect((await opened(good)).status).toBe(404);
  expect((await own.get(all)).text).toContain("No profile is shared<");
});

it("[OUR-SHP-02] a link to a profile whose document cannot be read says so, and not that it expired", async () => {
  const path = await profileOf(["a.Broken"]);
  const link = await linkTo(path);
  const profile = path.split("/").at(-1) ?? "";
  await service.app.db.write(() => run(spoilDocument, { id: profile, document: Buffer.from("{") }));
  await service.app.db.write(() => run(dropReading, { id: profile }));
  const { status, text } = await opened(link);
  expect([status, text.includes("The link is good, but the stored document")]).toEqual([409, true]);
  expect(text).not.toContain("expired");
});

it("[OUR-SHP-02] a link ends with its server", async () => {
  const mine = server;
  server = await service.server(owner, { name: "Left" });
  const link = await linkTo(await profileOf(["a.b.c"]));
  expect((await opened(link)).status).toBe(200);
  expect((await own.send(`/servers/${server.id}/settings`, "unlink", { sure: "on" })).status).toBe(303);
  expect((await opened(link)).status).toBe(404);
  // The account links the same server again, and the link stays ended.
  const again = { id: server.id, account: owner.id, name: null, monitoring: 1, now: clock.now() };
  await service.app.db.write(() => run(restoreServer, again));
  expect((await own.get(`/servers/${server.id}`)).status).toBe(200);
  expect((await opened(link)).status).toBe(404);
  server = mine;
});

it("[OUR-SHP-04] no name adds an element to the page", async () => {
  const hostile = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</ol></main><h1>x</h1>",
    "<!--",
  ];
  const plain = hostile.map((_, index) => `plain.Name${index}.call`);
  const pages = await Promise.all(
    [hostile, plain].map(async (names) =>
      readHtml((await opened(await linkTo(await profileOf(names)))).text),
    ),
  );
  expect(pages[0]?.elements).toEqual(pages[1]?.elements);
  expect(pages[0]?.text).toContain("onerror=alert(1)");
});

it("[OUR-SHP-05] [OUR-SHP-06] it is the same for everybody, known to a browser that has it, and guessing is refused", async () => {
  const link = await linkTo(await profileOf(["a.b.c"]));
  const cookie = [...own.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const [bare, signed] = [await opened(link), await opened(link, { cookie })];
  expect(signed.text).toBe(bare.text);
  for (const answer of [bare, signed]) {
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers["cache-control"]).toBe("public, no-cache");
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
  }
  expect((await opened(link, { "if-none-match": String(bare.headers["etag"]) })).status).toBe(304);
  const statuses = [];
  for (let index = 0; index < 61; index += 1)
    statuses.push((await opened(`/shared/profiles/${"x".repeat(30)}${10 + index}`)).status);
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([404]));
  expect(statuses.at(-1)).toBe(429);
  expect((await opened(link)).status).toBe(200);
});

it("[OUR-SHP-03] of everything in the database the page and its data have the names of the profile's frames alone", async () => {
  const databaseUrl = `sqlite:${join(folder, "marked.db")}`;
  const marked = await startTestService({ databaseUrl, plans: roomyPlans });
  let serial = 0;
  const text = (max: number): string => `zq${(serial += 1).toString(36)}zq`.slice(0, max);
  const words: Words = { text, name: text };
  const { owner: filledOwner, paths } = await filledAccount(marked, words);
  const path = paths.find((each) => /^\/servers\/[0-9a-f-]{36}\/profiles\/[0-9a-f-]{36}$/.test(each)) ?? "";
  const link = await linkTo(path, "30", await signedIn(marked, filledOwner));
  const [page, data] = await Promise.all(
    [link, `${link}?data=tree`].map(async (each) => marked.request("GET", each)),
  );
  expect([page?.status, data?.status]).toEqual([200, 200]);
  const tree = FlameTree.strict().parse(JSON.parse(data?.text ?? ""));
  const { owners, methods, ...columns } = tree;
  for (const column of Object.values(columns)) expect(String(column)).toMatch(/^[-\d,]*$/);
  const names = new Set([...owners, ...methods].join(" ").match(/zq[a-z0-9]+zq/g));
  expect(names.size).toBeGreaterThan(3);
  const texts = `${page?.text}${data?.text}`;
  const raw = await openRaw(databaseUrl);
  const stored = new Set<string>();
  const secret =
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,}|[\w.+-]+@[\w.-]+|zq[a-z0-9]+zq/g;
  for (const table of exportedTables)
    for (const row of await raw.rows(`SELECT * FROM ${table}`))
      for (const value of Object.values(row))
        for (const found of String(value).match(secret) ?? []) if (!names.has(found)) stored.add(found);
  await raw.close();
  console.log(`${stored.size} private texts and ids; ${names.size} names of frames; shown of the first: 0`);
  expect(stored.size).toBeGreaterThan(150);
  expect([...stored].filter((each) => texts.includes(each))).toEqual([]);
  expect(marked.defects).toEqual([]);
  await marked.close();
});
