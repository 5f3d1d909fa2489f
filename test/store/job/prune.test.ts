import { pruneAll } from "../../../src/services/job/prune.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";
import { cancelJob, recordFinish } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { queueNotice } from "../../../src/services/notice/queue-notice.ts";
import { selectInbox, addTestToInbox } from "../../../src/store/notice/notices.ts";
import { countTestMessage } from "../../../src/services/notice/count-test-message.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { countInServiceLog } from "../../../src/services/service-log/log-act.ts";
import { recordInServiceLog } from "../../../src/services/service-log/log-act.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { jobFailed, started } from "../../../src/core/service-log/entries.ts";
import { pruneEvents } from "../../../src/store/job/prune.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { traceOf, watchedServer } from "../alert/alerting.ts";
import { launched, newTarget } from "../auto-bench/auto-bench-rows.ts";
import { certifyReport } from "../offer/certify.ts";
import {
  day,
  linkCode,
  minute,
  newAccount,
  newDigest,
  newId,
  newReport,
  newServer,
  noon,
  times,
} from "../engine/rows.ts";

type None = Record<string, never>;
const keys = {
  rate_window: query<None>()((db) => db.selectFrom("rate_window").select("key as key")),
  write_replay: query<None>()((db) => db.selectFrom("write_replay").select("slot as key")),
  link_code: query<None>()((db) => db.selectFrom("link_code").select("code as key")),
  server_credential: query<None>()((db) => db.selectFrom("server_credential").select("digest as key")),
  test_message: query<None>()((db) => db.selectFrom("test_message").select("id as key")),
  report: query<None>()((db) => db.selectFrom("report").select("id as key")),
  alert: query<None>()((db) => db.selectFrom("alert").select("id as key")),
  auto_bench_job: query<None>()((db) => db.selectFrom("auto_bench_job").select("id as key")),
  inbox: query<None>()((db) => db.selectFrom("inbox").select("id as key")),
  service_log: query<None>()((db) => db.selectFrom("service_log").select("words as key")),
  server_event: query<None>()((db) => db.selectFrom("server_event").select("id as key")),
};
const jobOfReport = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("job_id").where("id", "=", $.id),
);
type Table = keyof typeof keys;

/** When it is pruned. */
const now = noon + 1000 * day;

eachDatabase((databases, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const keysOf = async (table: Table): Promise<string[]> =>
    (await db.read(() => all(keys[table], {}))).map(({ key }) => key);

  /** The keys that `make` adds to a table. */
  const added = async (table: Table, make: () => Promise<unknown>): Promise<string[]> => {
    const before = new Set(await keysOf(table));
    await make();
    return (await keysOf(table)).filter((key) => !before.has(key));
  };

  /** Makes one row that is to go and one that is to stay of what an age decides, and answers the keys of both. */
  const aged = async (table: Table, kept: number, make: (at: number) => Promise<unknown>) => ({
    table,
    gone: await added(table, () => make(now - kept - 1)),
    stays: await added(table, () => make(now - kept)),
  });

  const rule = (key: string) => [{ kind: "account_day", key, lengthMs: day, limit: 9 }] as const;

  /** An alert opened then, resolved or still open. */
  const alertAt = async (at: number, ended: boolean): Promise<void> => {
    const server = await watchedServer(db);
    const made = await server.rule();
    await server.beat(at, 5);
    if (ended) await server.change(made, { enabled: false }, at);
  };

  /** A job that ended then, of a target for this offer or none. */
  const jobEndedAt = async (at: number, offer?: string): Promise<string> => {
    const target = await newTarget(db, {}, offer);
    const job = await launched(db, target, at);
    await db.write(cancelJob, job.id, target.accountId, at);
    return job.id;
  };

  /** A failure that went on until then, from before what is kept. */
  const repeatedUntil = (lastAt: number) =>
    db.writeRelaxed(countInServiceLog, [
      { entry: jobFailed("sweep", null), at: lastAt - 1, lastAt, times: 9 },
    ]);

  async function scene() {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const replay = { accountId: account.id, route: "groups", bodyDigest: "b" };
    const group = (at: number) =>
      db.write(
        addGroup,
        { id: newId(), accountId: account.id, name: "g", color: null, now: at, limit: 99 },
        { ...replay, key: `key ${at}`, now: at },
      );
    const report = (changes: Parameters<typeof newReport>[2]) =>
      db.write(addReport, newReport(account, server, changes));
    const revoked = async (at: number) => {
      const { code } = await newServer(db, account);
      await claimCredential(db, code.claimDigest, newDigest(), at);
      await claimCredential(db, code.claimDigest, newDigest(), at);
    };
    const notice = { accountId: account.id, kind: "report", serverId: null } as const;
    const message = { title: "t", lines: [], link: null, tone: "info" } as const;
    const rows = [
      await aged("rate_window", keptMs.rateWindow, (at) => consumeWindows(db, rule(`w ${at}`), at)),
      await aged("write_replay", keptMs.writeReplay, group),
      await aged("link_code", keptMs.unusedLinkCode, (at) =>
        db.write(offerLinkCode, linkCode({ createdAt: at, expiresAt: at })),
      ),
      await aged("link_code", keptMs.usedLinkCode, (at) => newServer(db, account, { now: at - 15 * minute })),
      await aged("test_message", keptMs.testMessage, (at) =>
        db.write(countTestMessage, account.id, newId(), at),
      ),
      await aged("report", keptMs.expiredReport, (at) => report({ expiresAt: at })),
      await aged("alert", keptMs.resolvedAlert, (at) => alertAt(at, true)),
      await aged("inbox", keptMs.inbox, (at) =>
        db.write(queueNotice, { ...notice, id: newId(), message, now: at }),
      ),
      await aged("service_log", keptMs.serviceLog, (at) =>
        db.write(recordInServiceLog, started(`${at}`, ""), at),
      ),
      {
        table: "service_log",
        gone: [],
        stays: await added("service_log", () => repeatedUntil(now - keptMs.serviceLog)),
      },
      await aged("auto_bench_job", keptMs.finishedJob, jobEndedAt),
      {
        table: "auto_bench_job",
        gone: [],
        stays: await added("auto_bench_job", async () => {
          await jobEndedAt(noon, "an offer");
          await launched(db, await newTarget(db), noon);
        }),
      },
      { table: "alert", gone: [], stays: await added("alert", () => alertAt(noon, false)) },
      { table: "report", gone: [], stays: await added("report", () => report({ expiresAt: null })) },
      {
        table: "report",
        gone: [],
        stays: await added("report", async () => {
          const { id } = await report({ expiresAt: noon });
          await certifyReport(db, id, noon, now + day);
        }),
      },
    ] as { table: Table; gone: string[]; stays: string[] }[];
    const old = await added("server_credential", () => revoked(now - keptMs.revokedCredential - 1));
    const young = await added("server_credential", () => revoked(now - keptMs.revokedCredential));
    return { rows, credentials: { old, young } };
  }

  const prune = async (): Promise<number> => {
    let total = 0;
    for await (const deleted of pruneAll(db, now, defaultPlans)) total += deleted;
    return total;
  };

  describe("pruning", () => {
    it("[OUR-STO-46] deletes what nobody can ask for any more, and nothing else", async () => {
      const { rows, credentials } = await scene();
      for (const { table, gone, stays } of rows)
        expect([table, gone.length + stays.length > 0]).toEqual([table, true]);
      expect([credentials.old.length, credentials.young.length]).toEqual([2, 2]);
      await prune();
      const wrong: unknown[] = [];
      for (const { table, gone, stays } of rows) {
        const left = new Set(await keysOf(table));
        if (gone.some((key) => left.has(key)) || !stays.every((key) => left.has(key)))
          wrong.push({ table, gone, stays });
      }
      expect(wrong).toEqual([]);
      // Of two credentials of one claim the first was revoked by the second, which holds.
      const left = await keysOf("server_credential");
      expect(credentials.old.filter((key) => left.includes(key))).toHaveLength(1);
      expect(credentials.young.filter((key) => left.includes(key))).toHaveLength(2);
      console.log(`pruning on ${kind}: ${rows.length + 1} kinds of row, ${wrong.length} wrong`);
      expect(await prune()).toBe(0);
      // A server without old entries costs no transaction.
      const refused = () => Promise.reject(new Error("Nothing is left to delete."));
      for await (const _ of pruneEvents({ ...db, writeRelaxed: refused }, now, defaultPlans));
    });

    it("[OUR-STO-46] keeps a timeline for as long as its owner's plan of now shows it, and thirty days more", async () => {
      for (const plan of ["free", "pro", "hosting", "enterprise"] as const) {
        const { server } = await newServer(db, await newAccount(db, { plan }));
        const edge = now - (defaultPlans[plan].retention_days + 30) * day;
        const record = (at: number) => async () => {
          const { event } = traceOf(server.id, at);
          if (event) await db.write(recordEvents, server.id, [event], at);
        };
        const gone = await added("server_event", record(edge - 1));
        const stays = await added("server_event", record(edge));
        await prune();
        const left = await keysOf("server_event");
        expect([plan, gone.filter((key) => left.includes(key)), stays]).toEqual([
          plan,
          [],
          stays.filter((key) => left.includes(key)),
        ]);
      }
    });

    it("[OUR-AUT-24] a report still says which job it came from when that is gone", async () => {
      const target = await newTarget(db);
      const job = await launched(db, target, noon);
      let nonce = "";
      for (let taken; taken?.job.id !== job.id;) {
        nonce = newDigest();
        taken = await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce }, noon);
      }
      const account = { ...(await newAccount(db)), id: target.accountId };
      const run = {
        nonce,
        refuse: () => {
          throw new Error("refused");
        },
      };
      const server = { ...(await newServer(db, account)).server, id: target.serverId };
      const report = newReport(account, server, { source: "auto_bench", run });
      await db.write(addReport, report);
      const voice = { jobId: job.id, runnerId: "runner", nonce, now: noon };
      await db.write(recordFinish, voice, { outcome: "succeeded", errorCode: null });
      await prune();
      expect(await keysOf("auto_bench_job")).not.toContain(job.id);
      const found = await db.read(() => all(jobOfReport, { id: report.id }));
      expect(found).toEqual([{ job_id: job.id }]);
    });

    it("[OUR-STO-46] takes as many batches as it needs, also when two do it at once", async () => {
      const account = await newAccount(db);
      const offered = await added("inbox", async () => {
        for (const index of times(1201))
          await db.write(
            addTestToInbox,
            account.id,
            newId(),
            { title: `${index}`, lines: [], link: null, tone: "info" },
            noon,
          );
      });
      expect(offered).toHaveLength(1201);
      const totals = await Promise.all([prune(), prune()]);
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(1201);
      expect(await db.read(selectInbox, account.id, null, 1)).toEqual([]);
    });
  });
});
