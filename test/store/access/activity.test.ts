import { pruneAll } from "../../../src/services/job/prune.ts";
import { selectActivity, selectActiveTokens } from "../../../src/store/access/activity.ts";
import { recordActivityOfTokens } from "../../../src/services/access/record-activity.ts";
import { updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { beforeAll, expect, it, vi } from "vitest";
import type { ActivityRecord, Activity } from "../../../src/core/access/activity.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { openRaw } from "../engine/raw-database.ts";
import { minute, newAccount, newId, newToken, noon, times } from "../engine/rows.ts";
import { patience } from "../../support/patience.ts";

const removeTokens = query<{ account: string }>()((db, $) =>
  db.deleteFrom("api_token").where("account_id", "=", $.account),
);
const removeAccount = query<{ account: string }>()((db, $) =>
  db.deleteFrom("account").where("id", "=", $.account),
);

eachDatabase((databases, kind) => {
  let url: string;
  let db: Database;
  beforeAll(async () => {
    url = await databases.url();
    db = await databases.open(url);
  });

  const deed = (
    accountId: string,
    tokenId: string,
    at: number,
    changes: Partial<Activity> = {},
  ): Activity => ({
    id: newId(),
    accountId,
    tokenId,
    call: "servers.list",
    status: 200,
    error: null,
    at,
    times: 1,
    ...changes,
  });

  it("[OUR-ACT-06] tells the tokens that did something, the last one first, revoked ones too", async () => {
    const account = await newAccount(db);
    const [one, two, idle] = await Promise.all([1, 2, 3].map(() => newToken(db, account)));
    if (!one || !two || !idle) throw new Error("No tokens.");
    await db.writeRelaxed(recordActivityOfTokens, [
      deed(account.id, one.token.id, noon),
      deed(account.id, one.token.id, noon + minute),
      deed(account.id, two.token.id, noon + 2 * minute),
      deed(account.id, "gone", noon + 3 * minute),
    ]);
    await db.write(updateTokenRevoked, two.token.id, noon + 4 * minute);
    expect(await db.read(selectActiveTokens, account.id)).toEqual([
      { id: "gone", name: "", lastAt: noon + 3 * minute, revokedAt: null },
      { id: two.token.id, name: two.token.name, lastAt: noon + 2 * minute, revokedAt: noon + 4 * minute },
      { id: one.token.id, name: one.token.name, lastAt: noon + minute, revokedAt: null },
    ]);
    expect(await db.read(selectActiveTokens, newId())).toEqual([]);
  });

  it("[OUR-ACT-06] is listed newest first, page by page, of one token or of all", async () => {
    const account = await newAccount(db);
    const { token: laptop } = await newToken(db, account);
    const { token: agent } = await newToken(db, account, { name: "agent", kind: "connector" });
    const rows = times(250).map((index) =>
      deed(account.id, index % 2 === 0 ? laptop.id : agent.id, noon + Math.floor(index / 2)),
    );
    await db.writeRelaxed(recordActivityOfTokens, rows);
    const walked: string[] = [];
    let after: { at: number; id: string } | null = null;
    for (;;) {
      const page: ActivityRecord[] = await db.read(selectActivity, account.id, null, after, 100);
      walked.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (!last) break;
      after = { at: last.at, id: last.id };
    }
    expect(walked).toEqual(rows.map(({ id }) => id).toReversed());
    const own = await db.read(selectActivity, account.id, agent.id, null, 1000);
    expect(own).toHaveLength(125);
    expect(own[0]).toMatchObject({
      call: "servers.list",
      status: 200,
      error: null,
      times: 1,
      token: { id: agent.id, name: "agent", kind: "connector" },
    });
    expect(await db.read(selectActivity, (await newAccount(db)).id, agent.id, null, 10)).toEqual([]);
  });

  it("[OUR-ACT-07] goes with its account, and what comes for an account that is gone keeps nobody else's from being written", async () => {
    const gone = await newAccount(db);
    const stays = await newAccount(db);
    const { token } = await newToken(db, gone);
    await db.writeRelaxed(recordActivityOfTokens, [deed(gone.id, token.id, noon)]);
    await db.write(function* () {
      yield* run(removeTokens, { account: gone.id });
      yield* run(removeAccount, { account: gone.id });
    });
    expect(await db.read(selectActivity, gone.id, null, null, 10)).toEqual([]);
    await db.writeRelaxed(recordActivityOfTokens, [
      deed(gone.id, token.id, noon),
      deed(stays.id, "revoked long ago", noon),
    ]);
    expect(await db.read(selectActivity, gone.id, null, null, 10)).toEqual([]);
    expect(await db.read(selectActivity, stays.id, null, null, 10)).toMatchObject([
      { token: { id: "revoked long ago", name: "" } },
    ]);
  });

  // SQLite's writers wait for each other from their beginning on.
  if (kind === "PostgreSQL")
    it("[OUR-ACT-07] of an account that another process is deleting is left out, and keeps nobody else's from being written", async () => {
      const [gone, stays] = [await newAccount(db), await newAccount(db)];
      const raw = await openRaw(url);
      await raw.run("BEGIN");
      await raw.run(`DELETE FROM account WHERE id = '${gone.id}'`);
      const written = db.writeRelaxed(recordActivityOfTokens, [
        deed(gone.id, "t", noon),
        deed(stays.id, "t", noon),
      ]);
      await vi.waitFor(
        async () => expect(await raw.rows("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toEqual([]),
        patience,
      );
      await raw.run("COMMIT");
      await written;
      await raw.close();
      expect(await db.read(selectActivity, gone.id, null, null, 10)).toEqual([]);
      expect(await db.read(selectActivity, stays.id, null, null, 10)).toHaveLength(1);
    });

  it("[OUR-ACT-07] is deleted when it is 30 days old", async () => {
    const account = await newAccount(db);
    const now = noon + keptMs.activity;
    const kept = deed(account.id, "t", noon);
    await db.writeRelaxed(recordActivityOfTokens, [deed(account.id, "t", noon - minute), kept]);
    for await (const rows of pruneAll(db, now, defaultPlans)) void rows;
    expect((await db.read(selectActivity, account.id, null, null, 10)).map(({ id }) => id)).toEqual([
      kept.id,
    ]);
  });
});
