import { saveLogLevel, poseQuestion, giveUpQuestions } from "../../../src/store/access/dialogues.ts";

import { pruneAll } from "../../../src/services/job/prune.ts";
import { selectAlerts } from "../../../src/store/alert/alerts.ts";
import { selectTargets, selectDueTargets } from "../../../src/store/auto-bench/targets.ts";
import { selectJobs, selectOverdueJobs } from "../../../src/store/auto-bench/jobs.ts";
import { cancelJob } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { selectFleet } from "../../../src/store/monitoring/overview.ts";
import {
  fromTheFirst,
  selectFleetIds,
  selectFleetOwner,
  selectStandings,
} from "../../../src/store/monitoring/standings.ts";
import { queueNotice } from "../../../src/services/notice/queue-notice.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { selectOffers } from "../../../src/store/offer/offers.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { selectUnitTests } from "../../../src/store/unit-test/unit-tests.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { defaultSettings } from "../../../src/core/notice/records.ts";
import type { Database, Step } from "../../../src/store/engine/database.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { listedOffer, markMeasured } from "../../support/offer.ts";
import { everyAlert, nothingWaits } from "../alert/alerting.ts";
import { launched, newTarget } from "../auto-bench/auto-bench-rows.ts";
import { noting, planOf, sorted, wholeTable } from "./planning.ts";
import { openRaw } from "../engine/raw-database.ts";
import { newAccount, newId, newReport, newServer, newToken, noon, times, viewer } from "../engine/rows.ts";

const position = { at: noon, id: "x" };
const anyOffer = { type: null, maxPriceEurCents: null, minRamGb: null, evidence: null, providerId: null };
const anyTarget = { enabled: null, includeInternal: true };
const anyJob = { status: null, targetId: null };
const anyTest = {
  mine: false,
  testId: null,
  category: null,
  benchmarkMode: null,
  serverId: null,
  parentReportId: null,
};
const hour = 3_600_000;

const message = { title: "t", lines: ["l"], link: null, tone: "info" } as const;

eachDatabase((databases, kind) => {
  let raw: Database;
  let url: string;
  let db: Database;
  let read: Step[];
  let written: Step[];
  beforeAll(async () => {
    url = await databases.url();
    raw = await databases.open(url);
    const noted = noting(unrehearsed(raw));
    ({ steps: read, writes: written } = noted);
    db = noted.db;
  });

  /** The plans of what is asked, in its order, but of insertions, which look for nothing. */
  async function plansOf(ask: () => Promise<unknown>): Promise<string[]> {
    read.length = 0;
    written.length = 0;
    await ask();
    const steps = [...read, ...written].filter(
      ({ query }) => !query.statements.sqlite.sql.startsWith("insert"),
    );
    return Promise.all(steps.map((step) => planOf(raw, step)));
  }

  async function seeded() {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const target = await newTarget(db, { accountId: account.id, serverId: server.id });
    return { account, server, target };
  }
  type Seed = Awaited<ReturnType<typeof seeded>>;

  describe("by the index that is made for it", () => {
    const lists: Record<string, readonly [string, (seed: Seed) => Promise<unknown>]> = {
      "an account's targets": [
        "auto_bench_target_newest",
        ({ account }) => db.read(selectTargets, account.id, anyTarget, position, 10),
      ],
      "targets whose time has come": ["auto_bench_target_due", () => db.read(selectDueTargets, noon, 10)],
      "an account's jobs": [
        "auto_bench_job_newest",
        ({ account }) => db.read(selectJobs, account.id, anyJob, position, 10, noon),
      ],
      "an account's jobs of a status": [
        "auto_bench_job_by_status",
        ({ account }) => db.read(selectJobs, account.id, { ...anyJob, status: "failed" }, position, 10, noon),
      ],
      "a target's jobs": [
        "auto_bench_job_of_target",
        ({ account, target }) =>
          db.read(selectJobs, account.id, { ...anyJob, targetId: target.id }, position, 10, noon),
      ],
      "jobs that time may have ended": [
        "auto_bench_job_unfinished",
        () => db.read(selectOverdueJobs, noon, newId(), 10),
      ],
      "everybody's single tests": [
        "unit_test_newest",
        ({ account }) => db.read(selectUnitTests, viewer(account), anyTest, position, 10, noon),
      ],
      "an author's single tests": [
        "unit_test_of_author",
        ({ account }) =>
          db.read(selectUnitTests, viewer(account), { ...anyTest, mine: true }, position, 10, noon),
      ],
      "a server's single tests": [
        "unit_test_of_server",
        ({ account, server }) =>
          db.read(selectUnitTests, viewer(account), { ...anyTest, serverId: server.id }, position, 10, noon),
      ],
      "an account's alerts": [
        "alert_newest",
        ({ account }) => db.read(selectAlerts, account.id, everyAlert, position, 10),
      ],
      "an account's alerts in progress": [
        "alert_in_progress",
        ({ account }) => db.read(selectAlerts, account.id, { ...everyAlert, status: "open" }, position, 10),
      ],
    };
    it.each(Object.entries(lists))("[OUR-STO-44] %s are listed without sorting", async (_, [index, list]) => {
      const seed = await seeded();
      const plans = await plansOf(() => list(seed));
      expect(plans).toHaveLength(1);
      const outer = plans
        .join("")
        .split(/CORRELATED|SubPlan/, 1)
        .join("");
      expect(outer).toMatch(new RegExp(`\\b${index}\\b`));
      expect(outer).not.toMatch(wholeTable[kind]);
      expect(outer).not.toMatch(sorted);
    });

    it("[OUR-STO-44] a report's single tests are found by that report", async () => {
      const { account, server } = await seeded();
      const report = newReport(account, server);
      await db.write(addReport, report);
      const filter = { ...anyTest, parentReportId: report.id };
      const plans = await plansOf(() =>
        db.read(selectUnitTests, viewer(account), filter, position, 10, noon),
      );
      expect(plans.at(-1)).toMatch(/unit_test_of_report/);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
    });

    it("[OUR-STO-44] a fleet's alerts in progress and windows are found, whatever its history", async () => {
      const { account, server } = await seeded();
      const listed = [
        ...(await plansOf(() => db.read(selectFleetIds, account.id, false, fromTheFirst, 10))),
        ...(await plansOf(() => db.read(selectStandings, account.id, false, fromTheFirst, 10))),
      ];
      expect(listed).toHaveLength(2);
      for (const plan of listed) {
        expect(plan).toMatch(/server_of_account/);
        expect(plan).not.toMatch(sorted);
      }
      const counted = await plansOf(() => db.read(selectFleetOwner, account.id));
      expect(counted.join("\n")).toMatch(/alert_in_progress/);
      const plans = await plansOf(() => db.read(selectFleet, account.id, [server.id]));
      expect(plans.join("\n")).toMatch(/alert_in_progress_of_server/);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
    });

    it("[OUR-STO-44] the job that waits longest is claimed, in the look before and in the write", async () => {
      const { target } = await seeded();
      await launched(db, target);
      const claim = { runnerId: newId(), agentId: "a", nonce: newId() };
      const plans = await plansOf(() => claimNextJob(db, claim, noon));
      expect(plans).toHaveLength(4);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
      for (const plan of plans.slice(0, 2)) {
        expect(plan).toMatch(/auto_bench_job_in_flight/);
        expect(plan).not.toMatch(sorted);
      }
    });

    it("[OUR-STO-44] a job is launched, counted and ended without a walk through its account's jobs", async () => {
      const { account, target } = await seeded();
      const launch = await plansOf(() => launched(db, target));
      expect(launch.join("\n")).toMatch(/auto_bench_job_newest/);
      const { id } = await launched(db, target, noon + hour);
      const cancel = await plansOf(() => db.write(cancelJob, id, account.id, noon + hour));
      for (const plan of [...launch, ...cancel])
        expect(plan.split(/CORRELATED|SubPlan/, 1)[0]).not.toMatch(wholeTable[kind]);
    });

    it("[OUR-STO-44] the message that has been due longest is claimed, in the look before and in the write", async () => {
      await nothingWaits(raw);
      const { account } = await seeded();
      await db.write(
        saveSettings,
        account.id,
        { ...defaultSettings, noticesByEmail: true, noticesByChat: true },
        noon,
      );
      const notice = { accountId: account.id, kind: "report", serverId: null, message, now: noon } as const;
      await db.write(queueNotice, { ...notice, id: newId() });
      const plans = await plansOf(() => claimDispatch(db, noon));
      expect(plans).toHaveLength(5);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
      for (const plan of plans.slice(0, 2)) {
        expect(plan).toMatch(/dispatch_due/);
        expect(plan).toMatch(/dispatch_of_account/);
        expect(plan).not.toMatch(sorted);
      }
    });

    it("[OUR-STO-44] a token's sessions and open questions are found, and none is counted for one that is there", async () => {
      const { account } = await seeded();
      const tokenId = (await newToken(db, account)).token.id;
      const session = { tokenId, session: newId() };
      const ask = () => db.write(saveLogLevel, session, "info", noon);
      const made = await plansOf(ask);
      expect(made).toHaveLength(4);
      expect(await plansOf(ask)).toHaveLength(2);
      const question = { id: newId(), tokenId, call: "c", expiresAt: noon + hour };
      const posed = await plansOf(async () => {
        await db.write(poseQuestion, question, noon);
        await db.write(giveUpQuestions, tokenId, "c", "given up");
      });
      expect(posed).toHaveLength(3);
      for (const plan of posed.slice(1)) expect(plan).toMatch(/dialogue_question_of_token/);
      for (const plan of [...made, ...posed]) expect(plan).not.toMatch(wholeTable[kind]);
    });

    it("[OUR-STO-46] [OUR-STO-44] what is to be deleted is found by its age", async () => {
      await seeded();
      const plans = await plansOf(async () => {
        for await (const rows of pruneAll(db, noon, defaultPlans)) void rows;
      });
      const all = plans.join("\n");
      for (const index of [
        "rate_window_oldest",
        "activity_oldest",
        "write_replay_oldest",
        "link_code_unused",
        "link_code_used",
        "server_credential_revoked",
        "test_message_oldest",
        "report_expiring",
        "unit_test_expiring",
        "alert_oldest",
        "inbox_oldest",
        "server_event_newest",
        "session_oldest",
        "one_time_code_oldest",
        "oauth_record_oldest",
        "dialogue_session_oldest",
        "dialogue_question_oldest",
      ])
        expect(all, index).toMatch(new RegExp(`\\b${index}\\b`));
      expect(all).not.toMatch(wholeTable[kind]);
    });
  });

  it("[OUR-OFF-08] [OUR-STO-44] a page of offers looks its evidence up, and walks through the catalogue alone", async () => {
    const offers = times(80).map((index) => listedOffer(`offer-${index}`));
    await db.write(importOfferList, offers, noon);
    const owners = [await newAccount(db), await newAccount(db)] as const;
    for (const index of times(240)) {
      const account = owners[index < 120 ? 0 : 1];
      const { server } = await newServer(db, account);
      await db.write(saveChosenOffer, server.id, index % 2 === 0 ? `offer-${index % 80}` : null);
      const report = newReport(account, server, { createdAt: noon - index });
      await db.write(addReport, report);
      await db.write(changeReport, report.id, { visibility: "public" });
      await markMeasured(raw, `offer-${index % 80}`, report.id, server);
    }
    // What PostgreSQL does by itself a minute later: it plans by what the tables hold.
    const analysed = await openRaw(url);
    await analysed.run("ANALYZE");
    await analysed.close();
    const [plan = ""] = await plansOf(() => db.read(selectOffers, anyOffer, null, 10, noon));
    for (const index of [
      "auto_bench_target_of_offer",
      "auto_bench_job_of_target",
      "report_of_job",
      "server_of_offer",
      "report_of_server(_by_author|_newest)?",
    ])
      expect(plan).toMatch(new RegExp(`\\b${index}\\b`));
    expect(plan).not.toMatch(/report_newest|SCAN [tjcsr]\b|hashed SubPlan/);
  });
}, sharedKinds);
