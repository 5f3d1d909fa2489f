import { afterEach, expect, it, vi } from "vitest";
import { serviceJobs } from "../../../src/jobs/jobs.ts";
import { storedHealthOfServers } from "../../../src/store/health/server-health.ts";
import { eachDatabase } from "../../support/databases.ts";
import { facesOf } from "../../support/faces.ts";
import { roomy, testApp } from "../../support/test-app.ts";
import { credentialedServer } from "../auto-bench/auto-benching.ts";

afterEach(() => void vi.restoreAllMocks());

/** How many are evaluated at once after a pause, and then each second. */
const [saved, eachSecond] = [100, 10];
/** Each account has so many servers that are monitored. */
const ofAccount = 3;

eachDatabase((databases) => {
  it("[OUR-HLT-113] of many servers that come at the same moment some wait for the job", async () => {
    const test = testApp({ plans: roomy, database: await databases.open() });
    const { http } = facesOf(test.app);
    const servers: Awaited<ReturnType<typeof credentialedServer>>[] = [];
    for (let made = 0; made < saved + eachSecond + 8; made += ofAccount) {
      const owner = await test.account("pro");
      for (let place = 0; place < ofAccount; place += 1) servers.push(await credentialedServer(test, owner));
    }
    const beat = async (of: typeof servers): Promise<void> => {
      for (const { credential } of of) {
        const { statusCode } = await http.inject({
          method: "POST",
          url: "/plugin/v1/heartbeat",
          headers: { authorization: `Bearer ${credential}` },
          payload: { sent_at: new Date(test.clock.now).toISOString(), plugin_version: "1.10.2" },
        });
        expect(statusCode).toBe(200);
      }
    };
    const ids = servers.map(({ id }) => id);
    const evaluated = async (): Promise<number> => (await test.app.db.read(storedHealthOfServers, ids)).size;
    // Each call has its own object for the database, so that what is kept beside that object keeps nothing.
    let at = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => at);
    await beat(servers.slice(0, saved + 4));
    expect(await evaluated()).toBe(saved);
    at += 1050;
    await beat(servers.slice(saved + 4));
    expect(await evaluated()).toBe(saved + eachSecond);
    vi.restoreAllMocks();
    const { db, plans, secrets, clock } = test.app;
    const { signal } = new AbortController();
    const warned: unknown[] = [];
    const warn = (_job: string, error: unknown): void => void warned.push(error);
    const jobs = serviceJobs({ db, plans, secrets, clock, warn, signal });
    await jobs.find(({ name }) => name === "health")?.run(null);
    expect(await evaluated()).toBe(servers.length);
    expect(warned).toEqual([]);
    await http.close();
  });
});
