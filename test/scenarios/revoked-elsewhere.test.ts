import { expect, it } from "vitest";
import { unlinkServerOfAccount } from "../../src/services/server/unlink-from-account.ts";
import { revokeTokenOfAccount } from "../../src/services/access/revoke-token.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { makeFleet } from "../support/fleet.ts";
import { ask, startServiceProcess, until, type Answered } from "../support/service-process.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { times } from "../store/engine/rows.ts";
import { ownTime } from "../support/own-time.ts";

/** How soon another process refuses what this one revoked, ms. */
const withinMs = 1000;

eachDatabase((databases, kind) => {
  it("[OUR-TKN-13] a token, and a server that is unlinked, are refused by every other process within a second", async () => {
    const url = await databases.url();
    const { token, servers } = await makeFleet(url, 1, "pro");
    const [server] = servers;
    const db = await databases.open(url);
    const raw = await openRaw(url);
    const [known] = await raw.rows("SELECT id, account_id FROM api_token");
    await raw.close();
    const account = String(known?.["account_id"]);
    const service = await startServiceProcess({
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret of the test",
    });
    try {
      const status = (): Promise<Answered> =>
        ask(service, "GET", `/api/v1/servers/${server?.id ?? ""}/status`, token);
      /** Calls again and again until the answer has that status; how long it took, ms. */
      const soon = async (code: number, call: () => Promise<Answered>): Promise<number> => {
        const own = ownTime(service.process.pid ?? process.pid);
        await until(`${code} on ${kind}`, async () => (await call()).status === code);
        return own();
      };
      const heartbeat = (): Promise<Answered> =>
        ask(service, "POST", "/plugin/v1/heartbeat", server?.credential ?? "", {});
      // Whatever the process keeps of the token and the server, it keeps now.
      for (const _ of times(20)) expect((await status()).status).toBe(200);
      expect((await heartbeat()).status).not.toBe(401);
      await db.write(unlinkServerOfAccount, server?.id ?? "", account, Date.now());
      expect(await soon(404, status)).toBeLessThan(withinMs);
      expect(await soon(401, heartbeat)).toBeLessThan(withinMs);
      await db.write(revokeTokenOfAccount, account, String(known?.["id"]), Date.now());
      expect(await soon(401, status)).toBeLessThan(withinMs);
      expect((await status()).json).toMatchObject({ error: "token_revoked" });
    } finally {
      await service.stop();
    }
  });
}, sharedKinds);
