import { intercepting } from "../support/intercept.ts";
import { selectServiceLog } from "../../src/store/service-log/service-log.ts";
import { countInServiceLog } from "../../src/services/service-log/log-act.ts";
import { expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { serviceLog } from "../../src/app/logs/service-log.ts";

eachDatabase((databases, kind) => {
  const logOf = async (service: TestService) =>
    (await service.app.db.read(selectServiceLog, null, 100)).map(({ kind: what, words, times }) => ({
      what,
      words,
      times,
    }));

  it("[OUR-ADM-14] a service writes down its start, with version and schema, and its end in order", async () => {
    const url = await databases.url();
    for (const _ of [1, 2]) {
      const service = await startTestService({ databaseUrl: url });
      expect(service.defects).toEqual([]);
      await service.close();
    }
    const entries = (await (await databases.open(url)).read(selectServiceLog, null, 100)).toReversed();
    expect(entries.map((entry) => entry.kind)).toEqual([
      "service_started",
      "service_stopped",
      "service_started",
      "service_stopped",
    ]);
    expect(entries[0]?.words).toMatch(/^Tickmark \d+\.\d+\.\d+ started on schema \d+ \([\w-]+\)\.$/);
    expect(entries[1]?.words).toMatch(/^Tickmark \d+\.\d+\.\d+ stopped in order\.$/);
    expect(entries.every(({ by }) => by.who === "service" && by.account === null)).toBe(true);
  });

  it("[OUR-ADM-15] a job that fails again and again is one entry with its number, also where that has to wait", async () => {
    const url = await databases.url();
    const service = await startTestService({ databaseUrl: url });
    const raw = await openRaw(url);
    await service.service.work.run();
    const runs = async (count: number): Promise<void> => {
      for (let run = 0; run < count; run += 1) await service.service.work.run();
    };
    await raw.run("ALTER TABLE dispatch RENAME TO dispatch_gone");
    await runs(3);
    await raw.run("ALTER TABLE service_log RENAME TO service_log_gone");
    await runs(4);
    await raw.run("ALTER TABLE service_log_gone RENAME TO service_log");
    await raw.run("ALTER TABLE dispatch_gone RENAME TO dispatch");
    await runs(1);
    const [failed, ...rest] = (await logOf(service)).filter(({ what }) => what === "job_failed");
    const name = kind === "PostgreSQL" ? "error 42P01" : "SqliteError SQLITE_ERROR";
    expect(failed).toMatchObject({
      words: `Job delivery failed (${name}). The log of its process has the details.`,
    });
    // A timer may have tried once more.
    expect(failed?.times).toBeGreaterThanOrEqual(7);
    expect(rest).toEqual([]);
    await raw.close();
    await service.close();
  });

  it("[OUR-ADM-15] a log that cannot be written keeps no service from starting, answering and ending", async () => {
    const url = await databases.url();
    await databases.open(url);
    const raw = await openRaw(url);
    await raw.run("ALTER TABLE service_log RENAME TO service_log_gone");
    const service = await startTestService({ databaseUrl: url });
    expect((await service.request("GET", "/healthz")).status).toBe(200);
    await service.close();
    const defects = service.defects.filter((line) => line.includes("the service's log was not written"));
    expect(defects).toHaveLength(2);
    await raw.close();
  });

  it("[OUR-ADM-15] different failures that wait are bounded, and wait in order of their writing", async () => {
    const db = await databases.open();
    let down = true;
    const failing = intercepting(db, countInServiceLog, (usual) =>
      down ? Promise.reject(new Error("down")) : usual(),
    );
    const log = serviceLog(failing, "1.0.0", () => {});
    for (let job = 0; job < 1200; job += 1) log.failed(`job-${job}`, null, 1000 + job);
    for (const at of [5000, 9000]) log.failed("job-0", null, at);
    await expect(log.flush()).rejects.toThrow("down");
    down = false;
    await log.stopped(10_000);
    const entries = await db.read(selectServiceLog, null, 2000);
    expect(entries).toHaveLength(1001);
    expect(entries[0]?.kind).toBe("service_stopped");
    expect(entries.at(-1)).toMatchObject({ times: 3, at: 1000, lastAt: 9000 });
  });
}, sharedKinds);
