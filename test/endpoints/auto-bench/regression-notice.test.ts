import { intercepting } from "../../support/intercept.ts";
import { changeTarget } from "../../../src/services/auto-bench/change-target.ts";
import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { recordFinish } from "../../../src/services/auto-bench/change-job.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectScheduledReports } from "../../../src/store/report/reports.ts";
import { selectUnjudgedServers, toJudge } from "../../../src/store/report/regressions.ts";
import { saveJudgement } from "../../../src/services/report/save-judgement.ts";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { TargetRecord } from "../../../src/core/auto-bench/target.ts";
import { defaultSettings } from "../../../src/core/notice/records.ts";
import { reportContent } from "../../../src/core/report/detail.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { getRegressionVerdict } from "../../../src/endpoints/api/server/get-regression-verdict.ts";
import { judgeServers } from "../../../src/jobs/regression.ts";
import { steady } from "../../core/server/regression/runs.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { acceptedPayload, type Json } from "../../support/payload.ts";
import { newTarget } from "./auto-benching.ts";
import { isLong } from "../../support/long.ts";

const day = 24 * 60 * 60 * 1000;

let test: TestApp;
let faces: Faces;
let owner: Account;
let secret: string;

beforeEach(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  ({ secret } = await test.token(owner));
});

afterEach(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

interface Benched {
  readonly server: ServerRecord;
  readonly target: TargetRecord;
}

async function benched(isVerified = true): Promise<Benched> {
  const server = await test.server(owner, { name: "Lobby" });
  if (isVerified) await test.verify(server);
  return { server, target: await newTarget(test, owner, server.id) };
}

const payload = acceptedPayload({ source: "auto_bench" });
const content = reportContent(payload, scoreReport(payload));

/** One job of the next day: with a report of this total it succeeds, without one it fails. */
async function nextJob({ server, target }: Benched, total: number | null): Promise<void> {
  test.clock.advance(day);
  const { db, secrets, plans } = test.app;
  const now = test.clock.now;
  const made = { jobId: secrets.newId(now), nonce: secrets.newNonce(), now };
  const whose = { targetId: target.id, accountId: owner.id, trigger: "run_now" } as const;
  const launched = await db.write(launchJob, { ...whose, ...made, limitsOf: (plan) => plans[plan] });
  if (launched.kind !== "queued") throw new Error(launched.kind);
  const nonce = secrets.newNonce();
  await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce }, now);
  const localId = made.jobId;
  if (total !== null)
    await db.write(addReport, {
      id: secrets.newId(now),
      shortId: secrets.newShortId(),
      localId,
      serverId: server.id,
      authorId: owner.id,
      source: "auto_bench",
      run: {
        nonce,
        refuse: () => {
          throw new Error("No run takes the report.");
        },
      },
      createdAt: now,
      finishedAt: now,
      expiresAt: null,
      description: null,
      content: { ...content, scores: { ...content.scores, total } },
      payload: JSON.stringify(payload),
    });
  const voice = { jobId: made.jobId, runnerId: "runner", nonce, now };
  const outcome = total === null ? "failed" : "succeeded";
  expect(await db.write(recordFinish, voice, { outcome, errorCode: null })).toBe("finished");
  await db.write(changeTarget, target.id, owner.id, now, () => ({ enabled: true }));
}

const surroundings = (signal = new AbortController().signal) => {
  const warned: unknown[] = [];
  return { ...test.app, signal, warned, warn: (_job: string, error: unknown) => void warned.push(error) };
};

async function judge(): Promise<void> {
  const around = surroundings();
  await Promise.all([judgeServers(around), judgeServers(around)]);
  expect(around.warned).toEqual([]);
}

const notices = async (of: Benched) =>
  (await test.app.db.read(selectInbox, owner.id, null, 1000)).filter(
    ({ kind, serverId }) => kind === "regression" && serverId === of.server.id,
  );

const verdictOf = async ({ server }: Benched): Promise<Json> =>
  (await faces.rest(getRegressionVerdict, { server_id: server.id }, secret)).body;

/** How many notices there are after each of these days. */
async function toldAfter(of: Benched, totals: readonly number[]): Promise<number[]> {
  const told: number[] = [];
  for (const total of totals) {
    await nextJob(of, total);
    await judge();
    told.push((await notices(of)).length);
  }
  return told;
}

describe("the notice of a regression", () => {
  it("[SRV-23] [OUR-REG-14] comes once when the verdict turns, and again for a drop after the recovery", async () => {
    const of = await benched();
    await test.app.db.write(
      saveSettings,
      owner.id,
      { ...defaultSettings, noticesByEmail: true },
      test.clock.now,
    );
    expect(await toldAfter(of, [...steady, 4400, 4410, 4395])).toEqual(Array.from({ length: 13 }, () => 0));
    expect(await toldAfter(of, [4402, 4400, 4405])).toEqual([1, 1, 1]);
    const mail = await claimDispatch(test.app.db, test.clock.now);
    expect(mail).toMatchObject({
      channel: "email",
      purpose: "notice",
      message: { title: "Lobby got slower" },
    });
    expect(await claimDispatch(test.app.db, test.clock.now)).toBeNull();
    const [notice] = await notices(of);
    expect(notice).toMatchObject({ serverId: of.server.id, alertId: null, readAt: null });
    expect(notice?.message).toEqual({
      title: "Lobby got slower",
      lines: [
        "Total score: -11.99 %",
        "Median before: 5000.5",
        "Median since: 4401",
        "Since: 2026-12-01 00:00:00 UTC",
      ],
      link: `/servers/${of.server.id}/charts#regression`,
      tone: "bad",
    });
    expect(await toldAfter(of, [4990, 5001, 4999, 5003, 4996])).toEqual([1, 1, 1, 1, 1]);
    expect(await toldAfter(of, [4400, 4410, 4395, 4402, 4401])).toEqual([1, 1, 1, 2, 2]);
  });

  it("[SRV-23] [OUR-REG-14] is there exactly when the verdict that is served is a regression begun since the last one, whatever the runs", async () => {
    const stretch = fc.record({
      level: fc.constantFrom(5000, 5000, 4700, 4400, 3600),
      days: fc.integer({ min: 1, max: 9 }),
      failed: fc.boolean(),
    });
    let [news, looks] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(stretch, { minLength: 2, maxLength: 5 }), async (stretches) => {
        const of = await benched();
        // One lives no longer than 90 days.
        ({ secret } = await test.token(owner));
        let [told, expected] = [0, 0];
        const totals = stretches.flatMap(({ level, days, failed }) => [
          ...Array.from({ length: days }, (_, index) => level + ((index * 7) % 11)),
          ...(failed ? [null] : []),
        ]);
        for (const total of [...steady, ...totals]) {
          await nextJob(of, total);
          await judge();
          const { verdict, since } = await verdictOf(of);
          expect(verdict).toEqual(expect.any(String));
          if (verdict === "regression" && Date.parse(String(since)) > told) {
            expected += 1;
            told = test.clock.now;
          }
          looks += 1;
          expect((await notices(of)).length).toBe(expected);
        }
        news += expected;
      }),
      {
        numRuns: isLong ? 12 : 3,
        // One drop and one recovery for certain.
        examples: [
          [
            [
              { level: 4400, days: 6, failed: false },
              { level: 5000, days: 5, failed: true },
            ],
          ],
        ],
      },
    );
    console.log(`${looks} verdicts, ${news} with a regression to be told of, each with its notice`);
    expect(news).toBeGreaterThan(0);
  });

  it("[OUR-REG-14] comes once however the beginning moves, to who holds the server, and past a clock that was wrong", async () => {
    const of = await benched();
    const { db, secrets } = test.app;
    const noted = async (since: number, accountId = owner.id): Promise<number> => {
      await nextJob(of, null);
      const server = await db.read(toJudge, of.server.id);
      if (!server) throw new Error("Nothing to judge.");
      const now = test.clock.now;
      const message = { title: "Slower", lines: [], link: null, tone: "bad" } as const;
      const notice = { id: secrets.newId(now), now, accountId, serverId: server.id, message };
      const judged = { server: { ...server, accountId }, since, now };
      await db.write(saveJudgement, { ...judged, notice: { ...notice, kind: "regression" } });
      return (await notices(of)).length;
    };
    const begun = test.clock.now;
    const stranger = await test.account();
    expect(await noted(begun, stranger.id)).toBe(0);
    expect(await noted(begun)).toBe(1);
    const told = test.clock.now;
    for (const since of [begun - 3 * day, begun + day, told - 1, told]) expect(await noted(since)).toBe(1);
    expect(await noted(told + 1)).toBe(2);
    const right = test.clock.now;
    test.clock.advance(1000 * day);
    expect(await noted(test.clock.now)).toBe(3);
    test.clock.now = right;
    expect(await noted(right)).toBe(4);
    expect(await noted(right)).toBe(4);
  });

  it("[OUR-REG-15] never comes for an unverified server, whose jobs are done with", async () => {
    const of = await benched(false);
    expect(await toldAfter(of, [...steady, 4400, 4410, 4395, 4402])).toEqual(
      Array.from({ length: 14 }, () => 0),
    );
    expect(await test.app.db.read(selectUnjudgedServers, "", 10)).toEqual([]);
  });
});

describe("judging the servers", () => {
  it("[OUR-REG-15] happens for those with a job that ended, once, and not while one is in flight", async () => {
    const of = await benched();
    const { db } = test.app;
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([]);
    await nextJob(of, 5000);
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([of.server.id]);
    expect(await db.read(selectUnjudgedServers, of.server.id, 10)).toEqual([]);
    await judge();
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([]);
    await nextJob(of, null);
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([of.server.id]);
  });

  it("[OUR-REG-15] goes on when one cannot be judged, and with what is left when the process ended", async () => {
    const all = [await benched(), await benched(), await benched()];
    for (const of of all) await nextJob(of, 5000);
    const { db } = test.app;
    const [first = "", second = "", third = ""] = await db.read(selectUnjudgedServers, "", 10);
    const broken = intercepting(db, selectScheduledReports, (usual, id) =>
      id === second ? Promise.reject(new Error("a row nobody can read")) : usual(),
    );
    const ending = new AbortController();
    const ended = intercepting(db, saveJudgement, (usual) => {
      ending.abort();
      return usual();
    });
    await judgeServers({ ...surroundings(ending.signal), db: ended });
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([second, third]);
    const around = surroundings();
    await judgeServers({ ...around, db: broken });
    expect(around.warned).toHaveLength(1);
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([second]);
    await judge();
    expect(await db.read(selectUnjudgedServers, "", 10)).toEqual([]);
    expect(first).not.toBe("");
  });
});
