import type { Database } from "../../../src/store/engine/database.ts";
import { selectServers } from "../../../src/store/server/servers.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { noFacts } from "../../../src/core/server/link-code.ts";
import { copyServers } from "../../support/copied-servers.ts";
import { eachDatabase } from "../../support/databases.ts";
import {
  linkCode,
  linkRequest,
  minute,
  newAccount,
  newId,
  newServer,
  noon,
  prepared,
  times,
  viewer,
} from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const offered = async (changes: Parameters<typeof linkCode>[0] = {}) => {
    const code = linkCode(changes);
    expect(await db.write(offerLinkCode, code)).toBe(true);
    return code;
  };
  const use = async (...request: Parameters<typeof linkRequest>) =>
    db.write(useLinkCode, linkRequest(...request));
  const countOf = async (account: Awaited<ReturnType<typeof newAccount>>) =>
    (await db.read(selectServers, viewer(account), { verified: null, ownerId: null }, null, 1000)).length;

  describe("a code", () => {
    it("[SRV-16] links the installation as a new server with what the plugin told of it", async () => {
      const account = await newAccount(db);
      const { code, installationId } = await offered({
        facts: { ...noFacts, name: "Lobby", address: "play.example.org", port: 25_565 },
      });
      const request = linkRequest(account, code, { now: noon + 1 });
      expect(await db.write(useLinkCode, request)).toEqual({
        kind: "linked",
        server: {
          id: request.newServerId,
          accountId: account.id,
          installationId,
          name: "Lobby",
          verifiedAt: null,
          isPublic: false,
          monitoringEnabled: true,
          showAddressOnReport: false,
          notifyOnReport: true,
          address: "play.example.org",
          port: 25_565,
          groupId: null,
          linkedAt: noon + 1,
          createdAt: noon + 1,
          lastHeartbeat: null,
        },
      });
    });

    it("[SRV-16] is used under the caller's name for the server, where one is given", async () => {
      const { code } = await offered({ facts: { ...noFacts, name: "theirs" } });
      expect(await use(await newAccount(db), code, { name: "ours" })).toMatchObject({
        server: { name: "ours" },
      });
    });

    it("[OUR-STO-20] is unknown when nobody was given it, and from the instant it expires", async () => {
      const account = await newAccount(db);
      expect(await use(account, "ZZZZZZZZ")).toEqual({ kind: "unknown" });
      const { code } = await offered({ expiresAt: noon + 15 * minute });
      expect(await use(account, code, { now: noon + 15 * minute })).toEqual({ kind: "unknown" });
      expect(await use(account, code, { now: noon + 15 * minute - 1 })).toMatchObject({ kind: "linked" });
    });

    it("[OUR-STO-20] that a newer one of the installation replaced is unknown", async () => {
      const account = await newAccount(db);
      const old = await offered();
      const fresh = await offered({ installationId: old.installationId });
      expect(await use(account, old.code)).toEqual({ kind: "unknown" });
      expect(await use(account, fresh.code)).toMatchObject({ kind: "linked" });
    });

    it("[SRV-17] answers the account that used it with the same server, also after it would have expired", async () => {
      const account = await newAccount(db);
      const { code } = await offered();
      const first = await use(account, code, { name: "first" });
      const again = await use(account, code, { name: "second", now: noon + 90 * minute });
      expect(again).toEqual({ ...first, kind: "same" });
      expect(await countOf(account)).toBe(1);
    });

    it("[ACC-26] that another account used is unknown", async () => {
      const { code } = await newServer(db, await newAccount(db));
      expect(await use(await newAccount(db), code.code)).toEqual({ kind: "unknown" });
    });

    it("[SRV-18] of a server the account has already names that server and is not consumed", async () => {
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      const { code, claimDigest } = await offered({ installationId: server.installationId });
      const expected = { kind: "already_linked", serverId: server.id };
      expect(await use(account, code)).toEqual(expected);
      expect(await use(account, code)).toEqual(expected);
      expect(await claimCredential(db, claimDigest, "never", noon)).toEqual({ kind: "pending" });
      expect(await countOf(account)).toBe(1);
    });

    it("[ACC-26] of an installation linked to another account is unknown, and is not consumed", async () => {
      const { server } = await newServer(db, await newAccount(db));
      const { code, claimDigest } = await offered({ installationId: server.installationId });
      const other = await newAccount(db);
      expect(await use(other, code)).toEqual({ kind: "unknown" });
      expect(await claimCredential(db, claimDigest, "never", noon)).toEqual({ kind: "pending" });
      expect(await countOf(other)).toBe(0);
    });

    it("[OUR-STO-21] is given once: a second plugin that drew it draws again, and keeps its older code", async () => {
      const taken = await offered();
      const older = await offered();
      expect(
        await db.write(offerLinkCode, linkCode({ code: taken.code, installationId: older.installationId })),
      ).toBe(false);
      const account = await newAccount(db);
      expect(await use(account, older.code)).toMatchObject({
        kind: "linked",
        server: { installationId: older.installationId },
      });
      expect(await use(account, taken.code)).toMatchObject({
        kind: "linked",
        server: { installationId: taken.installationId },
      });
    });
  });

  describe("the limits of an account", () => {
    it("[OUR-STO-22] the server one past the limit is refused, and its code stays good", async () => {
      const account = await newAccount(db);
      for (const _ of times(2)) await newServer(db, account);
      const { code } = await offered();
      expect(await use(account, code, { maxServers: 2 })).toEqual({ kind: "full" });
      expect(await use(account, code, { maxServers: 3 })).toMatchObject({ kind: "linked" });
    });

    it("[OUR-STO-22] five hundred servers hold when ten more are linked at once", async () => {
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      await copyServers(db, { account: account.id, server: server.id, size: 490, monitored: 3 });
      const codes = await prepared(20, () => offered());
      const results = await Promise.all(codes.map(({ code }) => use(account, code)));
      expect(results.filter(({ kind }) => kind === "linked")).toHaveLength(10);
      expect(results.filter(({ kind }) => kind === "full")).toHaveLength(10);
      expect(await countOf(account)).toBe(500);
    });

    it("[OUR-STO-23] monitoring starts for as many new servers as the plan monitors", async () => {
      const account = await newAccount(db);
      const linked = await Promise.all(times(5).map(() => newServer(db, account, { monitoredServers: 3 })));
      expect(linked.filter(({ server }) => server.monitoringEnabled)).toHaveLength(3);
    });
  });

  describe("at once", () => {
    it("[OUR-STO-24] two accounts that use one code: one gets the server, the other learns nothing", async () => {
      for (const _ of times(10)) {
        const { code } = await offered();
        const accounts = [await newAccount(db), await newAccount(db)];
        const results = await Promise.all(accounts.map((account) => use(account, code)));
        expect(results.map(({ kind }) => kind).toSorted()).toEqual(["linked", "unknown"]);
      }
    });

    it("[SRV-17] one account that sends one code four times gets one server", async () => {
      const account = await newAccount(db);
      const { code } = await offered();
      const results = await Promise.all(times(4).map(() => use(account, code)));
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(["linked", "same", "same", "same"]);
      expect(new Set(results.map((result) => ("server" in result ? result.server.id : null))).size).toBe(1);
      expect(await countOf(account)).toBe(1);
    });

    it("[OUR-STO-21] an installation that asks for several codes has one that works", async () => {
      const account = await newAccount(db);
      const installationId = newId();
      const codes = times(8).map(() => linkCode({ installationId }));
      const given = await Promise.all(codes.map((code) => db.write(offerLinkCode, code)));
      expect(given).toContain(true);
      const results = [];
      for (const { code } of codes) results.push(await use(account, code));
      expect(results.filter(({ kind }) => kind === "linked")).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === "unknown")).toHaveLength(7);
    });

    it("[OUR-STO-24] a code that is used while a newer one is asked for makes one server at most", async () => {
      for (const _ of times(10)) {
        const account = await newAccount(db);
        const old = await offered();
        const fresh = linkCode({ installationId: old.installationId });
        const [used] = await Promise.all([use(account, old.code), db.write(offerLinkCode, fresh)]);
        const after = await use(account, fresh.code);
        expect([used.kind, after.kind]).toEqual(
          used.kind === "linked" ? ["linked", "already_linked"] : ["unknown", "linked"],
        );
      }
    });
  });
});
