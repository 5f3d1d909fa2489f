import {
  selectProfiles,
  selectProfile,
  selectProfileDocument,
  readProfileDetail,
  readFlameGraph,
} from "../../../src/store/profile/profiles.ts";
import { saveProfile } from "../../../src/services/profile/save-profile.ts";
import { keepProfileReadings } from "../../../src/store/profile/readings.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import type { NewProfile, ProfileFilter, ProfileRecord } from "../../../src/core/profile/records.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { everyProfile, newProfile } from "./profile-rows.ts";
import { minute, newAccount, newServer, noon, setHolder, times } from "../engine/rows.ts";

const spoilReading = query<{ id: string; detail: Uint8Array; version: number }>()((db, $) =>
  db
    .updateTable("profile_reading")
    .set({ detail: $.detail, version: $.version })
    .where("profile_id", "=", $.id),
);
const dropDocument = query<{ id: string }>()((db, $) =>
  db.deleteFrom("profile_document").where("id", "=", $.id),
);
eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const insert = async (profile: NewProfile): Promise<NewProfile> => {
    await saveProfile(db, profile, defaultPlans);
    return profile;
  };
  const rowsOf = (account: string, filter: Partial<ProfileFilter> = {}): Promise<ProfileRecord[]> =>
    db.read(selectProfiles, account, { ...everyProfile, ...filter }, null, 1000);
  const idsOf = async (...asked: Parameters<typeof rowsOf>): Promise<string[]> =>
    (await rowsOf(...asked)).map(({ id }) => id);
  const scene = async (plan: "free" | "pro" = "pro") => {
    const account = await newAccount(db, { plan });
    const { server } = await newServer(db, account, { name: "Lobby" });
    return { account, server };
  };

  describe("an upload", () => {
    it("[OUR-STO-47] comes back as it was sent, its document too", async () => {
      const { account, server } = await scene();
      const profile = newProfile(server, { capturedAt: noon - minute });
      const { id, profileId, summary, document } = profile;
      const ids = { summaryId: id, profileId };
      expect(await saveProfile(db, profile, defaultPlans)).toEqual({ ...ids, created: true });
      const record: ProfileRecord = {
        id,
        serverId: server.id,
        serverName: "Lobby",
        profileId,
        pluginVersion: "2.4.0",
        capturedAt: noon - minute,
        uploadedAt: noon,
        longestTickMs: 812.5,
        serviceVersion: "1.9.0",
        summary,
      };
      expect(await rowsOf(account.id)).toEqual([record]);
      expect(await db.read(selectProfile, server.id, id)).toEqual(record);
      expect(await db.read(selectProfile, server.id, profileId)).toEqual(record);
      expect(
        Buffer.from(document).equals((await db.read(selectProfileDocument, profileId)) ?? Buffer.of()),
      ).toBe(true);
    });

    it("[OUR-STO-47] is one profile a server and local id, however often it is sent", async () => {
      const { account, server } = await scene();
      const { id: summaryId, profileId } = await insert(newProfile(server, { localId: "lag 1" }));
      expect(await saveProfile(db, newProfile(server, { localId: "lag 1" }), defaultPlans)).toEqual({
        summaryId,
        profileId,
        created: false,
      });
      const { server: other } = await newServer(db, account);
      const elsewhere = await insert(newProfile(other, { localId: "lag 1" }));
      expect(new Set(await idsOf(account.id))).toEqual(new Set([summaryId, elsewhere.id]));
    });

    it("[PRO-06] is known by its local id when only its summary is left, and stays a summary", async () => {
      const { server } = await scene("free");
      const gone = await insert(newProfile(server, { localId: "first", uploadedAt: noon - 9 }));
      for (const index of times(2)) await insert(newProfile(server, { uploadedAt: noon + index }));
      const again = newProfile(server, { localId: "first", uploadedAt: noon + 9 });
      expect(await saveProfile(db, again, defaultPlans)).toEqual({
        summaryId: gone.id,
        profileId: null,
        created: false,
      });
      expect(await db.read(selectProfile, server.id, gone.id)).toMatchObject({
        id: gone.id,
        profileId: null,
        longestTickMs: null,
        serviceVersion: null,
        pluginVersion: "2.4.0",
        summary: gone.summary,
      });
      expect(await db.read(selectProfile, server.id, gone.profileId)).toBeNull();
      expect(await db.read(selectProfileDocument, gone.profileId)).toBeNull();
      expect(await db.read(selectProfileDocument, again.profileId)).toBeNull();
    });

    it("[OUR-STO-48] whose readings are damaged, or of another version, has none until they are made again", async () => {
      const { server } = await scene();
      const { profileId, readings } = await insert(newProfile(server));
      const { server: elsewhere } = await newServer(db, (await scene()).account);
      const other = await insert(newProfile(elsewhere));
      const whole = await readProfileDetail(db, profileId);
      expect(whole).toMatchObject({
        schema: "service-profile/1",
        owners: [{ owner: "ShopPlugin" }],
      });
      expect((await readFlameGraph(db, profileId))?.frames).toHaveLength(2);
      const damaged = [
        new Uint8Array(),
        Buffer.from("{}"),
        readings.detail.subarray(0, readings.detail.length - 12),
        readings.detail.map((byte, index) => (index === 20 ? byte ^ 0xff : byte)),
      ];
      for (const detail of damaged) {
        await db.write(() => run(spoilReading, { id: profileId, detail, version: 1 }));
        expect(await readProfileDetail(db, profileId)).toBeNull();
      }
      await db.write(() => run(spoilReading, { id: profileId, detail: readings.detail, version: 0 }));
      expect(await readProfileDetail(db, profileId)).toBeNull();
      expect(await readFlameGraph(db, profileId)).toBeNull();
      await db.writeRelaxed(keepProfileReadings, profileId, readings);
      expect(await readProfileDetail(db, profileId)).toEqual(whole);
      expect(await readProfileDetail(db, other.profileId)).not.toBeNull();
    });

    it("[OUR-STO-48] whose document has gone has no readings, and none are kept of it", async () => {
      const { account, server } = await scene();
      const { profileId, readings } = await insert(newProfile(server));
      await db.write(() => run(dropDocument, { id: profileId }));
      expect(await readProfileDetail(db, profileId)).toBeNull();
      await db.writeRelaxed(keepProfileReadings, profileId, readings);
      expect(await readProfileDetail(db, profileId)).toBeNull();
      expect(await idsOf(account.id)).toHaveLength(1);
    });
  });

  describe("the list", () => {
    it("[OUR-STO-49] is newest first by capture, or upload where that is unknown, and walked without a loss or a repeat", async () => {
      const { account, server } = await scene();
      const { server: second } = await newServer(db, account);
      const made: { at: number; id: string }[] = [];
      for (const index of times(23)) {
        const at = noon - (index % 4);
        const when = index % 3 === 0 ? { capturedAt: null, uploadedAt: at } : { capturedAt: at };
        const { id } = await insert(newProfile(index % 2 === 0 ? server : second, when));
        made.push({ at, id });
      }
      const expected = made.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
      for (const owner of [null, "ShopPlugin"]) {
        const walked: string[] = [];
        let after: TimePosition | null = null;
        for (const _ of times(12)) {
          const rows: ProfileRecord[] = await db.read(
            selectProfiles,
            account.id,
            { ...everyProfile, owner },
            after,
            3,
          );
          walked.push(...rows.map(({ id }) => id));
          const last = rows.at(-1);
          if (!last) break;
          after = { at: last.capturedAt ?? last.uploadedAt, id: last.id };
        }
        expect(walked).toEqual(expected);
      }
    });

    it("[OUR-STO-49] keeps exact matches of server, trigger and owner, from an instant and before another", async () => {
      const { account, server } = await scene();
      const { server: second } = await newServer(db, account);
      const add = async (on: ServerRecord, changes: Parameters<typeof newProfile>[1]) =>
        (await insert(newProfile(on, changes))).id;
      const shop = await add(server, { owners: ["Shop", "server"], capturedAt: noon + 3 });
      const lag = await add(server, { owners: ["shop"], trigger: "lag", capturedAt: noon + 2 });
      const twice = await add(second, { owners: ["Shop", "Shop", "Shop%"], capturedAt: noon + 1 });
      const none = await add(second, { owners: [], trigger: null, capturedAt: noon });
      const keeps = (filter: Partial<ProfileFilter>) => idsOf(account.id, filter);
      expect(await keeps({})).toEqual([shop, lag, twice, none]);
      expect(await keeps({ owner: "Shop" })).toEqual([shop, twice]);
      expect(await keeps({ owner: "shop" })).toEqual([lag]);
      expect(await keeps({ owner: "Sho" })).toEqual([]);
      expect(await keeps({ owner: "shop", trigger: "manual" })).toEqual([]);
      expect(await keeps({ owner: "Shop", serverId: second.id })).toEqual([twice]);
      expect(await keeps({ trigger: "lag" })).toEqual([lag]);
      expect(await keeps({ serverId: server.id })).toEqual([shop, lag]);
      expect(await keeps({ from: noon + 1, to: noon + 3 })).toEqual([lag, twice]);
      expect(await keeps({ from: noon + 1, to: noon + 3, owner: "Shop" })).toEqual([twice]);
      expect(await keeps({ to: noon })).toEqual([]);
    });

    it("[OUR-STO-49] goes with the server: whoever holds it now sees its profiles, nobody else", async () => {
      const [ann, bob] = [await scene(), await scene()];
      const { id } = await insert(newProfile(ann.server));
      expect(await idsOf(bob.account.id, { serverId: ann.server.id })).toEqual([]);
      expect(await db.read(selectProfile, bob.server.id, id)).toBeNull();
      await db.write(() => run(setHolder, { id: ann.server.id, account: bob.account.id }));
      expect(await idsOf(ann.account.id)).toEqual([]);
      expect(await idsOf(bob.account.id)).toEqual([id]);
    });
  });
});
