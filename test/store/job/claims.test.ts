import type { Database } from "../../../src/store/engine/database.ts";
import { serverOfCredential } from "../../../src/services/server/server-of-credential.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import {
  linkCode,
  linkRequest,
  minute,
  newAccount,
  newDigest,
  newServer,
  noon,
  times,
} from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const linkedCode = async () => (await newServer(db, await newAccount(db))).code;
  const isRevoked = async (digest: string) =>
    (await serverOfCredential(db, digest, noon))?.kind === "revoked";

  describe("a claim", () => {
    it("[OUR-STO-25] is pending until the code is used, and unknown once the code has expired unused", async () => {
      const code = linkCode();
      await db.write(offerLinkCode, code);
      const claim = (now: number) => claimCredential(db, code.claimDigest, newDigest(), now);
      expect(await claim(noon)).toEqual({ kind: "pending" });
      expect(await claim(noon + 15 * minute - 1)).toEqual({ kind: "pending" });
      expect(await claim(noon + 15 * minute)).toEqual({ kind: "unknown" });
    });

    it("[OUR-STO-25] of a secret nobody was given, or whose code was replaced, is unknown", async () => {
      const code = linkCode();
      await db.write(offerLinkCode, code);
      await db.write(offerLinkCode, linkCode({ installationId: code.installationId }));
      expect(await claimCredential(db, code.claimDigest, newDigest(), noon)).toEqual({ kind: "unknown" });
      expect(await claimCredential(db, "nobody's", newDigest(), noon)).toEqual({ kind: "unknown" });
    });

    it("[OUR-STO-26] of a used code gives the server's credential, also after the code's time", async () => {
      const account = await newAccount(db);
      const code = linkCode();
      await db.write(offerLinkCode, code);
      const request = linkRequest(account, code.code);
      await db.write(useLinkCode, request);
      const digest = newDigest();
      const claimed = await claimCredential(db, code.claimDigest, digest, noon + 90 * minute);
      expect(claimed).toEqual({ kind: "linked", serverId: request.newServerId });
      expect(await serverOfCredential(db, digest, noon)).toMatchObject({
        kind: "linked",
        server: { id: request.newServerId },
      });
    });

    it("[OUR-STO-26] repeated gives a new credential in place of the last, until one is first used", async () => {
      const { claimDigest } = await linkedCode();
      const digests = times(3).map(() => newDigest());
      for (const digest of digests) {
        expect(await claimCredential(db, claimDigest, digest, noon)).toMatchObject({ kind: "linked" });
      }
      const [first = "", second = "", third = ""] = digests;
      expect([await isRevoked(first), await isRevoked(second), await isRevoked(third)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(await claimCredential(db, claimDigest, newDigest(), noon)).toEqual({ kind: "unknown" });
      expect(await isRevoked(third)).toBe(false);
    });

    it("[OUR-STO-26] is not ended by a replaced credential that is tried", async () => {
      const { claimDigest } = await linkedCode();
      const [replaced, current] = [newDigest(), newDigest()];
      await claimCredential(db, claimDigest, replaced, noon);
      await claimCredential(db, claimDigest, current, noon);
      const presented = await serverOfCredential(db, replaced, noon);
      expect(presented).toMatchObject({ kind: "revoked" });
      expect(await claimCredential(db, claimDigest, newDigest(), noon)).toMatchObject({ kind: "linked" });
    });

    it("[OUR-STO-26] made several times at once leaves one credential that works", async () => {
      const { claimDigest } = await linkedCode();
      const digests = times(8).map(() => newDigest());
      const results = await Promise.all(
        digests.map((digest) => claimCredential(db, claimDigest, digest, noon)),
      );
      expect(results.every(({ kind }) => kind === "linked")).toBe(true);
      const revoked = [];
      for (const digest of digests) revoked.push(await isRevoked(digest));
      expect(revoked.filter((gone) => gone === false)).toHaveLength(1);
    });

    it("[OUR-STO-27] made while its last credential is first used leaves a plugin that can go on", async () => {
      for (const _ of times(40)) {
        const { claimDigest } = await linkedCode();
        const [held, next] = [newDigest(), newDigest()];
        await claimCredential(db, claimDigest, held, noon);
        const [presented, claimed] = await Promise.all([
          serverOfCredential(db, held, noon),
          claimCredential(db, claimDigest, next, noon),
        ]);
        // Either the use came first and the claim is over, or the claim did and may be repeated.
        if (claimed.kind === "unknown") {
          expect(presented?.kind).toBe("linked");
          expect(await isRevoked(held)).toBe(false);
        } else {
          expect(presented?.kind).toBe("revoked");
          expect(await claimCredential(db, claimDigest, newDigest(), noon)).toMatchObject({ kind: "linked" });
        }
      }
    });
  });
});
