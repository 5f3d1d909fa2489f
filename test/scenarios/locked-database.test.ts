import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { personOf, startSession } from "../../src/contract/call/person.ts";
import { remaining } from "../../src/core/access/rate-window.ts";
import { peekWindows } from "../../src/contract/limits/quota.ts";
import { authenticateApi } from "../../src/contract/call/authenticate.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import getServerStatus from "../../tools/get-server-status.ts";
import { testApp, type TestApp } from "../support/test-app.ts";
import { facesOf, type Faces } from "../support/faces.ts";
import { ownTime } from "../support/own-time.ts";

const busyTimeoutMs = 300;
const folder = mkdtempSync(join(tmpdir(), "tickmark-locked-"));
const path = join(folder, "one.db");

let test: TestApp;
let faces: Faces;
/** Another program that has the same file open. */
let other: Sqlite.Database;
beforeAll(() => {
  test = testApp({
    database: openSqlite(path, busyTimeoutMs),
    plans: { enterprise: { daily_calls: 50, hourly_calls: 50 } },
  });
  faces = facesOf(test.app);
  other = openSqliteConnection(path);
});
afterAll(async () => {
  other.close();
  await faces.http.close();
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

const named = (id: string): Endpoint => {
  const endpoint = apiEndpoints.find((one) => one.id === id);
  if (!endpoint) throw new Error(`No endpoint is called ${id}.`);
  return endpoint;
};

const locked = {
  error: "unavailable",
  message: expect.stringMatching(/^The service's database is locked by another program\. /) as unknown,
};

it("[OUR-PRC-28] while another program locks the database, reads go on and writes say why not", async () => {
  const account = await test.account("enterprise");
  const { secret } = await test.token(account);
  const server = await test.server(account);
  await test.verify(server);
  const { secret: browser } = await startSession(test.app, account, null, test.clock.now);
  const caller = await authenticateApi(
    test.app,
    { authorization: `Bearer ${secret}`, address: "127.0.0.1" },
    test.clock.now,
  );
  const callsLeft = async (): Promise<number> =>
    remaining((await peekWindows(test.app, caller, test.clock.now)).day);
  const before = await callsLeft();
  // The last use of token and session is due to be written again.
  test.clock.advance(10 * 60_000);

  other.exec("BEGIN IMMEDIATE");
  const server_id = server.id;
  const reads = ["servers.status", "events.list", "maintenance.get", "monitoring.overview"];
  const ask = (id: string) =>
    faces.rest(named(id), id === "monitoring.overview" ? {} : { server_id }, secret);
  expect((await ask("servers.status")).status).toBe(200);
  const own = ownTime();
  for (const id of reads) {
    const answer = await ask(id);
    expect([id, answer.status]).toEqual([id, 200]);
    expect(Number(answer.headers["x-ratelimit-remaining"])).toBe(before);
  }
  expect(await faces.tool(getServerStatus, { server_id }, secret)).toMatchObject({
    status: 200,
    isError: false,
  });
  const person = await personOf(test.app, browser, "127.0.0.1", test.clock.now);
  expect(person.kind).toBe("session");
  const perRead = own() / (reads.length + 2);
  expect(perRead).toBeLessThan(busyTimeoutMs / 2);
  const write = await faces.rest(named("maintenance.start"), { server_id, duration_minutes: 5 }, secret);
  expect([write.status, write.body]).toEqual([503, locked]);
  expect(Number(write.headers["retry-after"])).toBeGreaterThan(0);
  expect((await faces.rest(named("reports.list"), {}, null)).body).toEqual(locked);
  other.exec("COMMIT");

  expect(await callsLeft()).toBe(before);
  const again = await faces.rest(named("maintenance.start"), { server_id, duration_minutes: 5 }, secret);
  expect(again.status).toBe(200);
  expect(await callsLeft()).toBe(before - 1);
  console.log(
    `locked database: ${perRead.toFixed(1)} ms a read, ${reads.length + 2} of ${reads.length + 2} answered`,
  );
});

it("[OUR-PRC-28] a token without calls left does not read either", async () => {
  const account = await test.account("enterprise");
  const { secret } = await test.token(account);
  const count = (await faces.rest(named("token.get"), {}, secret)).headers["x-ratelimit-limit"];
  for (let call = 0; call < Number(count); call += 1) await faces.rest(named("servers.list"), {}, secret);
  expect((await faces.rest(named("servers.list"), {}, secret)).status).toBe(429);
  other.exec("BEGIN IMMEDIATE");
  const { status, body } = await faces.rest(named("servers.list"), {}, secret);
  other.exec("COMMIT");
  expect([status, body]).toEqual([503, locked]);
});
