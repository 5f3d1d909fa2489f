import { pruneAll } from "../../../src/services/job/prune.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { selectProfiles } from "../../../src/store/profile/profiles.ts";
import { saveProfile } from "../../../src/services/profile/save-profile.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { NewProfile, ProfileRecord } from "../../../src/core/profile/records.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { one, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import { everyProfile, newProfile } from "./profile-rows.ts";
import { day, newAccount, newServer, noon, times } from "../engine/rows.ts";

const ownerRows = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("profile_owner")
    .select((of) => of.fn.countAll<number>().as("rows"))
    .where("server_id", "=", $.server),
);

eachDatabase((databases, kind) => {
  let url: string;
  let db: Database;
  beforeAll(async () => {
    url = await databases.url();
    db = await databases.open(url);
  });

  const insert = async (profile: NewProfile): Promise<NewProfile> => {
    await saveProfile(db, profile, defaultPlans);
    return profile;
  };
  const rowsOf = (account: string): Promise<ProfileRecord[]> =>
    db.read(selectProfiles, account, everyProfile, null, 1000);
  const idsOf = async (account: string): Promise<string[]> => (await rowsOf(account)).map(({ id }) => id);
  const scene = async (plan: "free" | "pro" | "enterprise" = "pro") => {
    const account = await newAccount(db, { plan });
    const { server } = await newServer(db, account, { name: "Lobby" });
    return { account, server };
  };

  describe("what the plan keeps", () => {
    const documentsOf = async (account: string): Promise<string[]> =>
      (await rowsOf(account)).flatMap(({ profileId }) => (profileId === null ? [] : [profileId]));
    const prune = async (now: number): Promise<number> => {
      let total = 0;
      for await (const deleted of pruneAll(db, now, defaultPlans)) total += deleted;
      return total;
    };
    const fill = async (server: ServerRecord, count: number, at = noon) => {
      const made: NewProfile[] = [];
      for (const index of times(count))
        made.push(await insert(newProfile(server, { uploadedAt: at + index, capturedAt: noon - index })));
      return made.map(({ profileId }) => profileId);
    };

    it("[PRO-06] [OUR-STO-50] is so many documents a server, the last uploaded; every summary stays", async () => {
      for (const [plan, most] of [
        ["free", 2],
        ["pro", 20],
      ] as const) {
        const { account, server } = await scene(plan);
        const made = await fill(server, most + 3);
        expect(new Set(await documentsOf(account.id))).toEqual(new Set(made.slice(3)));
        expect(await rowsOf(account.id)).toHaveLength(most + 3);
      }
    });

    it("[PRO-06] [OUR-STO-50] is each document for so many days after its upload", async () => {
      for (const plan of ["free", "pro", "hosting", "enterprise"] as const) {
        const account = await newAccount(db, { plan });
        const { server } = await newServer(db, account);
        const edge = noon + defaultPlans[plan].profile_days * day;
        const [gone, stays] = await fill(server, 2);
        await prune(edge);
        expect(await documentsOf(account.id)).toEqual([gone, stays]);
        await prune(edge + 1);
        expect([plan, await documentsOf(account.id)]).toEqual([plan, [stays]]);
      }
    });

    it("[OUR-STO-50] stays what the larger plan kept until thirty days after a lapse, at an upload too", async () => {
      const { account, server } = await scene("pro");
      const made = await fill(server, 16);
      await db.write(changePlan, account.id, "free", noon + day);
      const edge = noon + 31 * day;
      await prune(edge - day - 1);
      const late = await insert(newProfile(server, { uploadedAt: edge - day - 1 }));
      expect(await documentsOf(account.id)).toHaveLength(17);
      await prune(edge);
      expect(await documentsOf(account.id)).toEqual([late.profileId]);
      expect(await rowsOf(account.id)).toHaveLength(made.length + 1);
      expect(await prune(edge)).toBe(0);
    });

    it("[OUR-STO-50] is trimmed a few at an upload after a lapse, the oldest first, and by retention the rest", async () => {
      const { account, server } = await scene("pro");
      const made = await fill(server, 16, noon + 28 * day);
      await db.write(changePlan, account.id, "free", noon);
      const late = noon + 30 * day;
      const { profileId } = await insert(newProfile(server, { uploadedAt: late }));
      expect(new Set(await documentsOf(account.id))).toEqual(new Set([...made.slice(10), profileId]));
      await prune(late);
      expect(new Set(await documentsOf(account.id))).toEqual(new Set([...made.slice(15), profileId]));
    });

    it("[PRO-04] is every summary for a year on every plan, with the owners it lists", async () => {
      for (const plan of ["free", "enterprise"] as const) {
        const { account, server } = await scene(plan);
        // The server's clock says what it likes: only the upload counts.
        await insert(newProfile(server, { uploadedAt: noon - 1, capturedAt: noon + 900 * day }));
        const stays = await insert(newProfile(server, { capturedAt: 0 }));
        const owners = async () => (await db.read(() => one(ownerRows, { server: server.id })))?.rows;
        await prune(noon + 364 * day);
        expect([await idsOf(account.id), await owners()]).toEqual([
          expect.objectContaining({ length: 2 }),
          4,
        ]);
        await prune(noon + 365 * day);
        expect([await idsOf(account.id), await owners()]).toEqual([[stays.id], 2]);
      }
    });

    it("[OUR-STO-50] is nothing where the operator's limits say so, and the upload is told", async () => {
      const { server } = await scene("free");
      const plans = { ...defaultPlans, free: { ...defaultPlans.free, profiles: 0 } };
      const profile = newProfile(server);
      expect(await saveProfile(db, profile, plans)).toEqual({
        summaryId: profile.id,
        profileId: null,
        created: true,
      });
    });
  });

  if (sharedKinds.includes(kind))
    it("[OUR-STO-47] [OUR-STO-50] uploads that come at once over several connections are one profile each, and no more stay than may", async () => {
      const { account, server } = await scene("free");
      const other = await databases.open(url);
      const both = [db, other];
      const answers = await Promise.all(
        times(8).flatMap((index) =>
          both.map((each) =>
            saveProfile(
              each,
              newProfile(server, { localId: "once", uploadedAt: noon + index }),
              defaultPlans,
            ),
          ),
        ),
      );
      expect(new Set(answers.map(({ summaryId }) => summaryId)).size).toBe(1);
      expect(new Set(answers.map(({ profileId }) => profileId)).size).toBe(1);
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      await Promise.all(
        times(8).flatMap((index) =>
          both.map((each) =>
            saveProfile(each, newProfile(server, { uploadedAt: noon + 10 + index }), defaultPlans),
          ),
        ),
      );
      const rows = await rowsOf(account.id);
      expect(rows).toHaveLength(17);
      expect(rows.filter(({ profileId }) => profileId !== null)).toHaveLength(2);
    });
}, everyKind);
