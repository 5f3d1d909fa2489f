import type { MonitoredServer, ServerRecord } from "../../../src/core/server/server.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  selectServers,
  selectServer,
  selectMonitoredServer,
  updateServerRejected,
} from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { serverOfCredential } from "../../../src/services/server/server-of-credential.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { unlinkServerOfAccount } from "../../../src/services/server/unlink-from-account.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { switchMonitoring } from "../../../src/services/monitoring/switch-monitoring.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerFilter } from "../../../src/core/server/records.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase } from "../../support/databases.ts";
import {
  admin,
  linkCode,
  linkRequest,
  minute,
  newAccount,
  newId,
  newServer,
  nobody,
  noon,
  times,
  verify,
  viewer,
} from "../engine/rows.ts";

const all: ServerFilter = { verified: null, ownerId: null };

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const idsSeen = async (who: Viewer, filter: Partial<ServerFilter> = {}): Promise<string[]> =>
    (await db.read(selectServers, who, { ...all, ...filter }, null, 100)).map(({ id }) => id);

  describe("a list of servers", () => {
    it("[SRV-01] is newest first, and goes by id where servers were linked in one instant", async () => {
      const account = await newAccount(db);
      const linkedAt = [noon, noon + minute, noon + minute, noon + 2 * minute];
      const ids = [];
      for (const now of linkedAt) ids.push((await newServer(db, account, { now })).server.id);
      expect(await idsSeen(viewer(account))).toEqual(ids.toReversed());
    });

    it("[SRV-01] is walked page by page without a loss or a repeat, also where all were linked at once", async () => {
      const account = await newAccount(db);
      const ids = new Set<string>();
      for (const index of times(11))
        ids.add((await newServer(db, account, { now: noon + (index % 2) })).server.id);
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (let page = 0; page < 6; page += 1) {
        const rows: ServerRecord[] = await db.read(selectServers, viewer(account), all, after, 2);
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        after = last ? { at: last.createdAt, id: last.id } : null;
      }
      expect(walked).toHaveLength(11);
      expect(new Set(walked)).toEqual(ids);
      expect(walked).toEqual(await idsSeen(viewer(account)));
    });

    it("[SRV-01] is filtered by whether a server is verified", async () => {
      const account = await newAccount(db);
      const verified = await newServer(db, account);
      const waiting = await newServer(db, account);
      await verify(db, verified.code);
      expect(await idsSeen(viewer(account), { verified: true })).toEqual([verified.server.id]);
      expect(await idsSeen(viewer(account), { verified: false })).toEqual([waiting.server.id]);
    });

    it("[ACC-26] [ACC-28] shows an account its own and an admin everybody's", async () => {
      const [ann, bob] = [await newAccount(db), await newAccount(db)];
      const own = (await newServer(db, ann)).server.id;
      const foreign = (await newServer(db, bob)).server.id;
      expect(await idsSeen(viewer(ann))).toEqual([own]);
      expect(await idsSeen(viewer(ann), { ownerId: ann.id })).toEqual([own]);
      expect(await idsSeen(viewer(ann), { ownerId: bob.id })).toEqual([]);
      expect(await idsSeen(nobody)).toEqual([]);
      expect(await idsSeen(nobody, { ownerId: ann.id })).toEqual([]);
      expect(await idsSeen(admin(ann))).toEqual(expect.arrayContaining([own, foreign]));
      expect(await idsSeen(admin(ann), { ownerId: bob.id })).toEqual([foreign]);
      expect(await idsSeen(admin(ann), { ownerId: newId() })).toEqual([]);
    });
  });

  it("[ACC-26] [ACC-28] a server is found by its owner and by admins, and by nobody else", async () => {
    const [ann, bob] = [await newAccount(db), await newAccount(db)];
    const { server } = await newServer(db, ann);
    expect(await db.read(selectServer, server.id, viewer(ann))).toEqual(server);
    expect(await db.read(selectServer, server.id, admin(bob))).toEqual(server);
    expect(await db.read(selectServer, server.id, viewer(bob))).toBeNull();
    expect(await db.read(selectServer, server.id, nobody)).toBeNull();
    expect(await db.read(selectServer, newId(), admin(bob))).toBeNull();
  });

  it("[ACC-30] what a status is made of is its owner's alone", async () => {
    const [ann, bob] = [await newAccount(db, { plan: "hosting" }), await newAccount(db)];
    const { server } = await newServer(db, ann);
    expect(await db.read(selectMonitoredServer, server.id, bob.id)).toBeNull();
    expect(await db.read(selectMonitoredServer, server.id, ann.id)).toEqual({
      ...server,
      ownerPlan: "hosting",
      pluginVersion: null,
      announcement: null,
      bootTimestamp: null,
      lastTickAgeMs: null,
      pausedSince: null,
      lastRejectedAt: null,
      sampledAt: null,
      sampleReceivedAt: null,
      sample: null,
      collecting: { profile: null, class_histogram: null },
      ownerSuspended: false,
      enabledRank: 1,
      enabledServers: 1,
    });
  });

  it("[OUR-STO-09] enabled servers are ranked by link, newest first, ties by id, per account", async () => {
    const account = await newAccount(db);
    await newServer(db, await newAccount(db), { now: noon + minute });
    const linked = [];
    for (const now of [noon, noon + 1, noon + 1])
      linked.push(await newServer(db, account, { now, monitoredServers: 9 }));
    const off = await newServer(db, account, { now: noon + 2, monitoredServers: 0 });
    const seen = [];
    for (const { server } of linked) seen.push(await db.read(selectMonitoredServer, server.id, account.id));
    expect(seen.map((server) => server?.enabledRank)).toEqual([3, 2, 1]);
    expect(seen.map((server) => server?.enabledServers)).toEqual([3, 3, 3]);
    expect(off.server.monitoringEnabled).toBe(false);
    expect((await db.read(selectMonitoredServer, off.server.id, account.id))?.enabledServers).toBe(3);
  });

  it("[OUR-STO-09] ranks stay the places among the monitored servers, whatever is switched, unlinked and linked again", async () => {
    const account = await newAccount(db);
    const limits = { ...defaultPlans.pro, monitored_servers: 7 };
    const random = dice(9);
    const linked = new Map<string, string>();
    const installations = times(9).map(() => newId());
    let now = noon;
    const link = async (installationId: string): Promise<void> => {
      const code = linkCode({ installationId, createdAt: now, expiresAt: now + minute });
      await db.write(offerLinkCode, code);
      const request = linkRequest(account, code.code, { now, monitoredServers: 7 });
      const result = await db.write(useLinkCode, request);
      if (result.kind === "linked") linked.set(installationId, result.server.id);
    };
    for (const installation of installations) await link(installation);
    for (const _ of times(60)) {
      // Several servers are linked in one instant.
      if (random() < 0.5) now += 1;
      const installation = installations[Math.floor(random() * installations.length)] ?? "";
      const serverId = linked.get(installation);
      if (serverId === undefined) await link(installation);
      else if (random() < 0.3) {
        await db.write(unlinkServerOfAccount, serverId, account.id, now);
        linked.delete(installation);
      } else {
        const change = { serverId, accountId: account.id, enabled: random() < 0.6, limits, now };
        await db.write(switchMonitoring, change);
      }
      const seen: MonitoredServer[] = [];
      for (const id of linked.values()) {
        const server = await db.read(selectMonitoredServer, id, account.id);
        if (server) seen.push(server);
      }
      const enabled = seen
        .filter(({ monitoringEnabled }) => monitoringEnabled)
        .toSorted((one, other) => other.linkedAt - one.linkedAt || (other.id > one.id ? 1 : -1));
      expect(enabled.map(({ enabledRank }) => enabledRank)).toEqual(enabled.map((_, index) => index + 1));
      expect(new Set(seen.map(({ enabledServers }) => enabledServers))).toEqual(
        new Set(seen.length === 0 ? [] : [enabled.length]),
      );
    }
  });

  it("[SRV-02] [SRV-07] edits of different fields made at once all hold", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account, { name: "before" });
    const group = { id: newId(), accountId: account.id, name: "Hub", color: null, now: noon, limit: 20 };
    const replay = { accountId: account.id, route: "groups", key: null, bodyDigest: "x", now: noon };
    await db.write(addGroup, group, replay);
    const changes = [
      { name: "after" },
      { isPublic: true },
      { showAddressOnReport: true },
      { notifyOnReport: false },
      { groupId: group.id },
    ];
    await Promise.all(changes.map((change) => db.write(changeServer, server.id, change)));
    const changed = {
      ...server,
      name: "after",
      isPublic: true,
      showAddressOnReport: true,
      notifyOnReport: false,
    };
    expect(await db.read(selectServer, server.id, viewer(account))).toEqual({
      ...changed,
      groupId: group.id,
    });
    await db.write(changeServer, server.id, { groupId: null, name: null });
    expect(await db.read(selectServer, server.id, viewer(account))).toMatchObject({
      groupId: null,
      name: null,
    });
    await expect(db.write(changeServer, newId(), { name: "nobody" })).resolves.toBeUndefined();
  });

  describe("a credential", () => {
    it("[OUR-STO-10] presents its server, and its first use verifies the server once", async () => {
      const account = await newAccount(db);
      const { server, code } = await newServer(db, account);
      const digest = await verify(db, code, noon + 5);
      const again = await serverOfCredential(db, digest, noon + 9);
      expect(again).toMatchObject({ kind: "linked", server: { id: server.id, verifiedAt: noon + 5 } });
      expect((await db.read(selectServer, server.id, viewer(account)))?.verifiedAt).toBe(noon + 5);
      expect(await serverOfCredential(db, "unknown", noon)).toBeNull();
    });

    it("[OUR-STO-10] tells in the first answer already that the server is verified", async () => {
      const { code } = await newServer(db, await newAccount(db));
      await claimCredential(db, code.claimDigest, "first-of-all", noon);
      const answers = await Promise.all(
        times(4).map((index) => serverOfCredential(db, "first-of-all", noon + index)),
      );
      const instants = new Set(
        answers.map((presented) => (presented?.kind === "linked" ? presented.server.verifiedAt : null)),
      );
      expect(instants.size).toBe(1);
      expect([...instants][0]).toBeGreaterThanOrEqual(noon);
    });
  });

  it("[OUR-STO-11] a refused body or credential is noted with its last instant", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    await db.writeRelaxed(updateServerRejected, server.id, noon + 1);
    await db.writeRelaxed(updateServerRejected, server.id, noon + 2);
    expect((await db.read(selectMonitoredServer, server.id, account.id))?.lastRejectedAt).toBe(noon + 2);
  });
});
