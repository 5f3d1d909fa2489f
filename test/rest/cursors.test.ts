import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as fc from "fast-check";
import type { Account } from "../../src/core/access/account.ts";
import {
  pageOf,
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type TestService,
} from "../support/service.ts";
import { handClock, hourMs } from "../support/clock.ts";
import { randomCases } from "../support/long.ts";

const secret = "the first secret of this test";
const clock = handClock();
const start = (keys: string): Promise<TestService> =>
  startTestService({
    secret: keys,
    plans: { ...roomyPlans, pro: { ...roomyPlans.pro, monitored_servers: 100 } },
    clock: clock.now,
  });

let service: TestService;
let owner: Account;
let token: string;

beforeAll(async () => {
  service = await start(secret);
  owner = await service.account();
  token = await service.token(owner);
  for (let index = 0; index < 7; index += 1) {
    clock.advance(hourMs / 30);
    const server = await service.server(owner);
    if (index < 6) await service.report(server);
  }
});
afterAll(() => service.close());

const get = (path: string, as: string | null = token, from = service): Promise<Answer> =>
  from.request("GET", `/api/v1${path}`, { token: as });
const cursorOf = async (path: string, as: string | null = token): Promise<string> =>
  pageOf(await get(path, as)).cursor ?? "none";

describe("pages", () => {
  it("[PAG-01] [PAG-02] a walk by cursor shows every row once, newest first, and ends with null", async () => {
    for (const limit of [1, 2, 3, 7, 100]) {
      const seen: unknown[] = [];
      let path = `/servers?limit=${limit}`;
      for (;;) {
        const answer = await get(path);
        seen.push(...rowsOf(answer).map((row) => row["id"]));
        const { cursor, has_more } = pageOf(answer);
        expect(cursor === null).toBe(!has_more);
        if (cursor === null) break;
        path = `/servers?limit=${limit}&cursor=${cursor}`;
      }
      expect(new Set(seen).size).toBe(7);
      expect(seen).toEqual(rowsOf(await get("/servers")).map((row) => row["id"]));
    }
  });

  it("[PAG-02] rows that arrive meanwhile move no later page", async () => {
    const cursor = await cursorOf("/servers?limit=3");
    const before = (await get(`/servers?limit=100&cursor=${cursor}`)).text;
    await service.server(owner);
    expect((await get(`/servers?limit=100&cursor=${cursor}`)).text).toBe(before);
  });
});

describe("what a cursor belongs to", () => {
  it("[PAG-04] route, account and filters: with any other it is invalid_cursor", async () => {
    const cursor = await cursorOf("/servers?limit=2");
    const stranger = await service.token(await service.account());
    const mine = await cursorOf("/reports?limit=2&mine=true");
    const elsewhere: readonly (readonly [string, string | null])[] = [
      [`/reports?cursor=${cursor}`, token],
      [`/servers?cursor=${cursor}`, stranger],
      [`/servers?cursor=${cursor}&verified=true`, token],
      [`/servers?cursor=${cursor}&owner=me`, token],
      [`/reports?cursor=${mine}`, token],
      [`/reports?cursor=${mine}&mine=false`, token],
      [`/reports?cursor=${await cursorOf("/reports?limit=2")}`, null],
    ];
    for (const [path, as] of elsewhere) {
      const { status, json } = await get(path, as);
      expect([path, status, json["error"]]).toEqual([path, 400, "invalid_cursor"]);
    }
  });

  it("[PAG-04] not to the limit, nor to one token of the account, nor to the order of parameters", async () => {
    const cursor = await cursorOf("/servers?limit=2");
    const other = await service.token(owner);
    for (const [path, as] of [
      [`/servers?limit=3&cursor=${cursor}`, token],
      [`/servers?cursor=${cursor}&limit=100`, other],
    ] as const) {
      expect((await get(path, as)).status).toBe(200);
    }
    const filtered = await cursorOf("/reports?limit=2&mine=true&benchmark_mode=standard");
    expect(
      (await get(`/reports?benchmark_mode=standard&mine=true&cursor=${filtered}`)).json["error"],
    ).toBeUndefined();
  });

  it("[PAG-04] one of a replaced secret opens as long as that secret is kept, and no longer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tickmark-cursors-"));
    const databaseUrl = `sqlite:${join(folder, "test.db")}`;
    const [before, during, after] = [
      secret,
      `a second secret of this test,${secret}`,
      "a second secret of this test",
    ];
    const open = (keys: string) => startTestService({ secret: keys, databaseUrl, plans: roomyPlans });
    const first = await open(before);
    const account = await first.account();
    const as = await first.token(account);
    for (let index = 0; index < 3; index += 1) await first.server(account);
    const old = pageOf(await get("/servers?limit=1", as, first)).cursor ?? "none";
    const [rotating, rotated] = [await open(during), await open(after)];
    const fresh = pageOf(await get("/servers?limit=1", as, rotating)).cursor ?? "none";
    const statuses = [];
    for (const cursor of [old, fresh]) {
      for (const service of [first, rotating, rotated])
        statuses.push((await get(`/servers?cursor=${cursor}`, as, service)).status);
    }
    expect(statuses).toEqual([200, 200, 400, 400, 200, 200]);
    for (const service of [first, rotating, rotated]) await service.close();
    rmSync(folder, { recursive: true });
  });
});

describe("forged cursors", () => {
  const mutations = randomCases(10_000);

  it(`[PAG-04] ${mutations} mutations of a good one: none accepted`, async () => {
    const cursor = await cursorOf("/servers?limit=2");
    const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.";
    const at = fc.nat(cursor.length - 1);
    const mutated = fc.oneof(
      fc
        .tuple(at, fc.constantFrom(...characters))
        .map(([index, character]) => cursor.slice(0, index) + character + cursor.slice(index + 1)),
      fc
        .tuple(at, at)
        .map(([from, to]) => cursor.slice(0, Math.min(from, to)) + cursor.slice(Math.max(from, to))),
      fc
        .tuple(at, fc.constantFrom(...characters))
        .map(([index, character]) => cursor.slice(0, index) + character + cursor.slice(index)),
      fc
        .uint8Array({ minLength: 1, maxLength: 120 })
        .map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.constantFrom(`${cursor}=`, `${cursor}A`, ` ${cursor}`, cursor + cursor, cursor.toUpperCase()),
    );
    const forged = fc.sample(
      mutated.filter((text) => text !== cursor && text !== ""),
      { numRuns: mutations, seed: 20_261_120 },
    );
    const found = { accepted: 0, otherAnswers: 0 };
    for (let index = 0; index < forged.length; index += 50) {
      const batch = forged
        .slice(index, index + 50)
        .map((text) => get(`/servers?cursor=${encodeURIComponent(text)}`));
      for (const { status, json } of await Promise.all(batch)) {
        if (status === 200) found.accepted += 1;
        else if (status !== 400 || json["error"] !== "invalid_cursor") found.otherAnswers += 1;
      }
    }
    console.log(`forged cursors: ${forged.length} mutations`, found);
    expect(found).toEqual({ accepted: 0, otherAnswers: 0 });
    expect(service.defects).toEqual([]);
  });

  it("[PAG-04] one longer than any of ours is invalid_cursor too", async () => {
    expect((await get(`/servers?cursor=${"A".repeat(1025)}`)).json["error"]).toBe("invalid_cursor");
  });
});
