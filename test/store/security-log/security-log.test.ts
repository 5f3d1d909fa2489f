import { pruneAll } from "../../../src/services/job/prune.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { verifyEmailOf } from "../../../src/services/access/verify-email-of.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { addToken } from "../../../src/services/access/add-token.ts";
import { insertSecurityRows, selectSecurityLog } from "../../../src/store/security-log/security-log.ts";
import { removeAccount } from "../../../src/services/access/remove-account.ts";
import { beforeAll, expect, it } from "vitest";
import { withOverrides } from "../../../src/core/access/plan.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import type { SecurityRow } from "../../../src/core/security-log/event.ts";
import type { Act } from "../../../src/core/service-log/entry.ts";
import { eachDatabase } from "../../support/databases.ts";
import { minute, newAccount, newDigest, newId, noon, tokenOf } from "../engine/rows.ts";

const rowOf = (changes: Partial<SecurityRow> = {}): SecurityRow => ({
  id: newId(),
  at: noon,
  lastAt: noon,
  times: 1,
  kind: "sign_in_refused",
  accountId: null,
  address: "192.0.2.1",
  tokenId: null,
  detail: "wrong",
  ...changes,
});

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const idsOf = async (account: string | null): Promise<string[]> =>
    (await db.read(selectSecurityLog, account, null, 1000)).map(({ id }) => id);

  it("[OUR-SEC-06] rows are read newest first and a page at a time, by account or all of them", async () => {
    const [one, other] = [await newAccount(db), await newAccount(db)];
    const token = tokenOf(one, { name: "laptop" });
    await db.write(addToken, token, newDigest(), 10);
    const rows = [
      rowOf({ accountId: one.id, at: noon }),
      rowOf({ accountId: other.id, at: noon + 1 }),
      rowOf({ accountId: one.id, at: noon + 2, kind: "token_created", tokenId: token.id, detail: null }),
      rowOf({ at: noon + 3 }),
      rowOf({ accountId: "nobody", at: noon + 4 }),
    ];
    await db.writeRelaxed(insertSecurityRows, rows);
    expect(await idsOf(one.id)).toEqual([rows[2]?.id, rows[0]?.id]);
    expect(await idsOf(null)).toEqual(rows.map(({ id }) => id).toReversed());
    const [newest] = await db.read(selectSecurityLog, one.id, null, 1);
    expect(newest).toMatchObject({
      kind: "token_created",
      account: { id: one.id, email: one.email },
      token: { id: token.id, name: "laptop" },
    });
    const after = { at: newest?.at ?? 0, id: newest?.id ?? "" };
    expect((await db.read(selectSecurityLog, one.id, after, 5)).map(({ id }) => id)).toEqual([rows[0]?.id]);
    expect((await db.read(selectSecurityLog, null, null, 1))[0]?.account).toBeNull();
  });

  it("[OUR-SEC-02] a row that is written again has its last number and time, however often that is", async () => {
    const { id: accountId } = await newAccount(db);
    const row = rowOf({ accountId });
    await db.writeRelaxed(insertSecurityRows, [row]);
    for (const _ of [1, 2])
      await db.writeRelaxed(insertSecurityRows, [{ ...row, times: 7, lastAt: noon + 5 }]);
    expect(await db.read(selectSecurityLog, accountId, null, 5)).toMatchObject([
      { id: row.id, at: noon, lastAt: noon + 5, times: 7 },
    ]);
  });

  it("[OUR-SEC-04] what an admin or a command changes of an account is a row of it, with the change or not at all", async () => {
    const { id } = await newAccount(db, { plan: "free", emailVerified: false });
    const act: Act = { by: { who: "command_line" }, now: noon };
    await db.write(changePlan, id, "pro", noon, act);
    await db.write(changePlan, id, "pro", noon, act);
    await db.write(changeRole, id, "admin", Date.now(), act);
    await db.write(verifyEmailOf, id, true, act);
    await db.write(replacePassword, id, "hash", null, act);
    const rows = await db.read(selectSecurityLog, id, null, 10);
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual([
      "email_verified",
      "password_changed",
      "plan_changed",
      "role_changed",
    ]);
    expect(rows.map(({ detail }) => detail)).toContain("The plan was changed from free to pro.");
  });

  it("[OUR-SEC-07] rows go with their account, and after 90 days", async () => {
    const gone = await newAccount(db);
    await db.writeRelaxed(insertSecurityRows, [rowOf({ accountId: gone.id })]);
    await removeAccount(db, gone.id, noon);
    expect(await idsOf(gone.id)).toEqual([]);
    const { id: accountId } = await newAccount(db);
    const old = rowOf({ accountId, at: noon - keptMs.securityLog - minute });
    const young = rowOf({ accountId, at: noon - keptMs.securityLog + minute });
    await db.writeRelaxed(insertSecurityRows, [old, young]);
    for await (const _ of pruneAll(db, noon, withOverrides({})));
    expect(await idsOf(accountId)).toEqual([young.id]);
    expect(keptMs.securityLog).toBe(90 * 24 * 60 * minute);
  });
});
