import { noMeter } from "../../src/contract/call/meter.ts";
import { settleDispatch } from "../../src/services/notice/settle-dispatch.ts";
import { intercepting } from "../support/intercept.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { beginMaintenance } from "../../src/services/maintenance/begin-maintenance.ts";
import { hasDueDispatch, claimDispatch } from "../../src/services/notice/claim-dispatch.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { defaultPlans } from "../../src/core/access/plan.ts";
import type { DispatchResult } from "../../src/core/notice/records.ts";
import { deliverDue, type Delivering } from "../../src/jobs/deliver.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { memoryDatabase } from "../support/memory-database.ts";
import { failure, mailedAlert, nothingWaits, type Watched } from "../store/alert/alerting.ts";
import { minute, noon, times } from "../store/engine/rows.ts";

let db: Database;
beforeAll(() => {
  db = memoryDatabase();
});
beforeEach(() => nothingWaits(db));
afterAll(() => db.close());

type Answer = (atOnce: number) => Promise<DispatchResult>;

/** Servers with one mail waiting for each, and a delivery that notes what it does. */
async function waiting(count: number, answer: Answer = async () => ({ status: "sent" })) {
  const servers: Watched[] = [];
  for (const _ of times(count)) servers.push(await mailedAlert(db));
  const counts = { claims: 0, atOnce: 0, most: 0 };
  const warnings: string[] = [];
  const links: (string | null)[] = [];
  const delivering: Delivering = {
    db: intercepting(db, hasDueDispatch, (usual, { until }) => {
      // A claim looks twice: at what is due, and at what a wrong clock put far away.
      if (until === noon) counts.claims += 1;
      return usual();
    }),
    plans: defaultPlans,
    meter: noMeter,
    signal: new AbortController().signal,
    sendMessage: async (_recipient, _channel, { message: { link } }) => {
      links.push(link);
      counts.atOnce += 1;
      counts.most = Math.max(counts.most, counts.atOnce);
      const result = await answer(counts.atOnce);
      counts.atOnce -= 1;
      return result;
    },
    clock: () => noon,
    warn: ({ channel }, why) => void warnings.push(`${channel} ${why}`),
  };
  return { servers, counts, warnings, links, delivering };
}

const emailOf = async (server: Watched | undefined) => (await server?.alert())?.delivery.email;

it("[OUR-ALR-46] asks once while nothing is due", async () => {
  const { counts, delivering } = await waiting(0);
  await deliverDue(delivering);
  expect(counts).toEqual({ claims: 1, atOnce: 0, most: 0 });
});

it("[OUR-ALR-46] sends everything that is due, four at once at most", async () => {
  let open = (): void => {};
  const four = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { servers, counts, delivering } = await waiting(11, async (atOnce) => {
    if (atOnce === 4) open();
    await four;
    return { status: "sent" };
  });
  await deliverDue(delivering);
  for (const server of servers) expect(await emailOf(server)).toMatchObject({ status: "sent", attempts: 1 });
  expect([counts.most, counts.claims]).toEqual([4, 11 + 4]);
});

it("[OUR-ALR-47] tells the operator of a failure, without the address", async () => {
  const failed = failure({ reason: "timeout", detail: "no answer" });
  const { servers, warnings, delivering } = await waiting(1, async () => failed);
  await deliverDue(delivering);
  expect(warnings).toEqual(["email timeout: no answer"]);
  expect(await emailOf(servers[0])).toMatchObject({ status: "pending", reason: "timeout" });
});

it("[OUR-ALR-47] sends nothing of an alert to an account whose plan has no monitoring any more", async () => {
  const { servers, counts, delivering } = await waiting(1);
  const [server] = servers;
  await server?.db.write(changePlan, server.account.id, "free", noon);
  await deliverDue(delivering);
  expect(counts.most).toBe(0);
  expect(await emailOf(server)).toMatchObject({
    status: "skipped",
    reason: "plan_required",
    at: null,
    attempts: 0,
  });
});

it("[MNT-08] sends nothing that maintenance keeps back", async () => {
  const { servers, counts, delivering } = await waiting(1);
  const [server] = servers;
  if (!server) throw new Error("no server");
  const request = { serverId: server.id, durationMinutes: 5, reason: null, by: "api", now: noon } as const;
  await server.db.write(beginMaintenance, request, () => null);
  await deliverDue(delivering);
  expect(counts.most).toBe(0);
  expect(await emailOf(server)).toMatchObject({ status: "skipped", reason: "maintenance" });
});

it("[OUR-ALR-48] gives up what three dead processes left behind", async () => {
  const { servers, counts, delivering } = await waiting(1);
  for (const attempt of times(3)) await claimDispatch(db, noon + attempt * minute);
  await deliverDue({ ...delivering, clock: () => noon + 3 * minute });
  expect(counts.most).toBe(0);
  expect(await emailOf(servers[0])).toMatchObject({ status: "failed", reason: "timeout", attempts: 3 });
});

it("[OUR-ALR-46] ends when all its lines have ended, also where one could not write down what happened", async () => {
  const { counts, delivering } = await waiting(8);
  let settled = 0;
  const failing = intercepting(delivering.db, settleDispatch, (usual) => {
    settled += 1;
    return settled === 2 ? Promise.reject(new Error("the disk is full")) : usual();
  });
  await expect(deliverDue({ ...delivering, db: failing })).rejects.toThrow("the disk is full");
  expect([settled, counts.atOnce]).toEqual([8, 0]);
});

it("[OUR-ALP-09] sends the path of the alert's page along", async () => {
  const { servers, links, delivering } = await waiting(1);
  await deliverDue(delivering);
  expect(links).toEqual([`/alerts/${(await servers[0]?.alert())?.id}`]);
});
