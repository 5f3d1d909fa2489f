import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { callAsPerson } from "../../src/contract/call/call-as-person.ts";
import { asRefusal } from "../../src/contract/call/refusals.ts";
import { action } from "../../src/contract/endpoint/action.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { defectLog } from "../../src/app/logs/defect-log.ts";
import { Unavailable } from "../../src/core/errors.ts";
import { onceAMinute } from "../../src/core/once-a-minute.ts";
import { handClock, minuteMs } from "../support/clock.ts";
import { startTestService, type Json } from "../support/service.ts";
import { testApp } from "../support/test-app.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-refuses-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Saves as often as it is told, and then once more while another program keeps the database locked. */
const saving = (times: number, accountId: string, lock: () => void) =>
  action({
    id: "tests.save",
    who: "anyone",
    errors: [],

    async run(_, { db, now }) {
      for (let time = 0; time < times; time += 1) await db.write(changePlan, accountId, "free", now);
      lock();
      await db.write(changePlan, accountId, "pro", now);
    },
  });

it("[OUR-PRC-36] what a locked database refused is said to have changed nothing, if that is known", async () => {
  const path = join(folder, "locked.db");
  const test = testApp({ database: openSqlite(path, 50) });
  const other = openSqliteConnection(path);
  const { id } = await test.account("pro");
  const answers: string[] = [];
  for (const times of [0, 1]) {
    const save = saving(times, id, () => void other.exec("BEGIN IMMEDIATE"));
    const error = await callAsPerson(test.app, save, { kind: "anonymous", address: "-" }, {}, "r").catch(
      (failure: unknown) => failure,
    );
    other.exec("ROLLBACK");
    answers.push(asRefusal(error, test.app, "r").message);
  }
  expect(answers).toEqual([
    "The service's database is locked by another program. Nothing was changed. Repeat the call: this is safe.",
    "The service's database is locked by another program. It is not known whether a change took effect. Repeat the call: this is safe.",
  ]);
  other.close();
  await test.close();
});

it("[OUR-PRC-36] a write-protected database changes nothing either; a full or silent one may have", () => {
  const said = (["read_only", "locked", "full", "away", "damaged"] as const).map((trouble) => {
    const error = new Unavailable(null, trouble);
    return [trouble, error.changedNothing, error.later().changedNothing, error.canRead];
  });
  expect(said).toEqual([
    ["read_only", true, false, true],
    ["locked", true, false, true],
    ["full", false, false, true],
    ["away", false, false, false],
    ["damaged", false, false, false],
  ]);
});

/** Overwrites the first pages of a table and of its indexes, as a disk does that lost them. */
function damage(path: string, table: string): void {
  const file = openSqliteConnection(path);
  const size = file.pragma("page_size", { simple: true }) as number;
  const pages = file.prepare("SELECT rootpage AS page FROM sqlite_master WHERE tbl_name = ?").all(table);
  file.close();
  const descriptor = openSync(path, "r+");
  for (const { page } of pages as { page: number }[])
    writeSync(descriptor, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

it("[OUR-PRC-36] [OUR-LOG-04] a damaged database is unavailable, named in one entry with what to do, and not ready", async () => {
  const path = join(folder, "damaged.db");
  await openSqlite(path).close();
  damage(path, "account");
  const lines: string[] = [];
  const service = await startTestService({
    databaseUrl: `sqlite:${path}`,
    timers: false,
    logTo: (line) => void lines.push(line),
  });
  for (let call = 0; call < 20; call += 1) {
    const { status, json } = await service.request("GET", "/healthz");
    expect([status, json["error"], json["message"]]).toEqual([
      503,
      "unavailable",
      "The service's database is damaged. Its operator has to restore a backup (tickmark restore FILE). It is not known whether a change took effect. Repeat the call: this is safe.",
    ]);
  }
  const ready = await service.request("GET", "/readyz");
  expect([ready.status, ready.json["message"]]).toEqual([
    503,
    expect.stringContaining("tickmark restore FILE"),
  ]);
  expect((await service.request("GET", "/livez")).status).toBe(200);
  await service.close();
  const entries = lines.map((line) => JSON.parse(line) as Json).filter(({ level }) => level === 50);
  expect(entries.map(({ msg, left_out }) => [msg, left_out])).toEqual([
    [expect.stringContaining("restore a backup: tickmark restore FILE --replace"), 0],
  ]);
});

it("[OUR-LOG-04] a database that is away is one entry a minute, a defect is one each time", () => {
  const clock = handClock(0);
  const entries: [unknown, string][] = [];
  const log = { error: (fields: unknown, what: string) => void entries.push([fields, what]) };
  const { failed, damage: found } = defectLog(log as never, onceAMinute(clock.now));
  for (let second = 0; second < 120; second += 1) {
    for (const what of ["a call failed", "a job failed"]) failed(new Unavailable(new Error("gone")), what);
    clock.advance(minuteMs / 60);
  }
  expect(entries.map(([fields]) => (fields as Json)["left_out"])).toEqual([0, 119]);
  for (let time = 0; time < 3; time += 1)
    failed(new TypeError("a defect"), "a call failed", { requestId: `r-${time}` });
  expect(entries.slice(2).map(([fields]) => (fields as Json)["requestId"])).toEqual(["r-0", "r-1", "r-2"]);
  expect(found()).toBe(null);
});
