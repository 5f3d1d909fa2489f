import { changePlan } from "../../../src/services/access/change-plan.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { expect, it } from "vitest";
import { testApp } from "../../support/test-app.ts";
import { reportDetail } from "../../support/payload.ts";

const dayMs = 24 * 60 * 60 * 1000;

it("[OUR-REP-01] an upgrade keeps the reports that have not expired yet, and a lapse sets no expiry", async () => {
  const { app, clock, account, server, close } = testApp();
  const owner = await account("free");
  const from = await server(owner);
  const insert = async (localId: string, expiresAt: number): Promise<string> => {
    const ids = { id: app.secrets.newId(clock.now), shortId: app.secrets.newShortId(), localId };
    const whose = { serverId: from.id, authorId: owner.id, source: "manual", description: null } as const;
    const times = { createdAt: clock.now, finishedAt: clock.now, expiresAt };
    await app.db.write(addReport, { ...ids, ...whose, ...times, content: reportDetail(), payload: "{}" });
    return ids.id;
  };
  const kept = await insert("kept", clock.now + 90 * dayMs);
  const gone = await insert("gone", clock.now + dayMs);
  clock.advance(2 * dayMs);
  await app.db.write(changePlan, owner.id, "pro", clock.now);
  await app.db.write(changePlan, owner.id, "free", clock.now);
  clock.advance(200 * dayMs);
  const viewer = { accountId: owner.id, admin: false };
  expect((await app.db.read(selectReport, kept, viewer, clock.now))?.expiresAt).toBeNull();
  expect(await app.db.read(selectReport, gone, viewer, clock.now)).toBeNull();
  await close();
});
