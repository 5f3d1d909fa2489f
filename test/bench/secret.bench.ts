import { Agent } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { checkSecret, type SecretSource } from "../../src/app/access/check-secret.ts";
import { countSealed, storedSeals } from "../../src/app/access/stored-seals.ts";
import { totalOfState } from "../../src/core/access/stored-seals.ts";
import { selectSecretCheck } from "../../src/store/access/secret-check.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { makeFleet } from "../support/fleet.ts";
import { manyCalls, mixedRequests, sendRequest, signedInSession } from "../support/mixed-load.ts";
import { fillSealed, sealedPerAccount } from "../support/sealed-values.ts";
import { loopOf, measuredLoop } from "../support/service-loop.ts";
import { startServiceProcess } from "../support/service-process.ts";

/** Sealed values, and requests a second while they are sealed anew. */
const values = Number(process.env["BENCH_VALUES"] ?? 10_000);
const perSecond = Number(process.env["BENCH_RATE"] ?? 50);
const patienceMs = 400_000;

const [old, renewed] = ["the old secret of this bench", "the new secret of this bench"];
const source = (...secrets: string[]): SecretSource => ({
  place: "TICKMARK_SECRET",
  present: () => secrets,
  made: () => secrets,
});

eachDatabase((databases) => {
  describe("replacing the secret under load", () => {
    it("seals everything anew after a kill: errors, duration, the longest block, and what is left", async () => {
      const url = await databases.url();
      const folder = mkdtempSync(join(tmpdir(), "tickmark-secret-bench-"));
      const fleet = await makeFleet(url, 17, "enterprise");
      const session = await signedInSession(url);
      const db = await databases.open(url);
      await checkSecret(db, source(old), false, Date.now());
      await fillSealed(db, old, values / sealedPerAccount);
      const left = async (): Promise<number> => (await db.read(selectSecretCheck))?.earlier ?? 0;
      /** On SQLite the lease of a killed process ends after a minute. */
      const leftAtMost = async (most: number): Promise<void> => {
        const deadline = performance.now() + patienceMs;
        while ((await left()) > most) {
          if (performance.now() > deadline) throw new Error(`Not within ${patienceMs} ms.`);
          await rest(20);
        }
      };
      const environment = { TICKMARK_DATABASE_URL: url, TICKMARK_PLANS: manyCalls(folder), ...measuredLoop };
      const serve = (secret: string) => startServiceProcess({ ...environment, TICKMARK_SECRET: secret });
      const agent = new Agent({ keepAlive: true, maxSockets: 100 });
      const next = mixedRequests(fleet, session);
      const failures: Record<string, number> = {};
      let sent = 0;
      const follow = async (port: number, turn: number): Promise<void> => {
        const why = await sendRequest(agent, port, next(turn));
        if (why !== null) failures[why] = (failures[why] ?? 0) + 1;
      };
      /** Sends requests at the rate until it ends. */
      const load = async (baseUrl: string, signal: AbortSignal): Promise<void> => {
        const port = Number(new URL(baseUrl).port);
        const began = performance.now();
        const answers: Promise<void>[] = [];
        for (let turn = 0; !signal.aborted; turn += 1) {
          const due = began + (turn * 1000) / perSecond;
          if (due > performance.now()) await rest(due - performance.now());
          sent += 1;
          answers.push(follow(port, turn));
        }
        await Promise.all(answers);
      };

      const first = await serve(`${renewed},${old}`);
      await leftAtMost(values * 0.7);
      first.process.kill("SIGKILL");
      await once(first.process, "exit");
      const leftByKill = await left();

      const second = await serve(`${renewed},${old}`);
      const loading = new AbortController();
      const loaded = load(second.baseUrl, loading.signal);
      await loopOf(second);
      const began = performance.now();
      await leftAtMost(0).catch(async (error: unknown) => {
        loading.abort();
        await second.stop();
        throw error;
      });
      const seconds = (performance.now() - began) / 1000;
      const during = await loopOf(second);
      await rest(Math.max(5000, seconds * 1000));
      const after = await loopOf(second);
      loading.abort();
      await loaded;
      await second.stop();
      const counts = await countSealed(db, storedSeals([renewed]));
      const alone = await serve(renewed);
      await alone.stop();
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });

      console.log(
        `${url.split(":", 1)[0]}: ${values} values; ${leftByKill} left after kill -9; the rest within ${seconds.toFixed(1)} s of the next start, ` +
          `whose jobs begin after 2 s; ${sent} requests at ${perSecond}/s, failed ${JSON.stringify(failures)}; longest block ` +
          `${during.cpu.toFixed(1)} ms of CPU (${during.wall.toFixed(0)} ms as the loop saw it) while sealing, ` +
          `${after.cpu.toFixed(1)} ms (${after.wall.toFixed(0)} ms) after it; left ${totalOfState(counts, "closed")}`,
      );
      expect(failures).toEqual({});
      expect(totalOfState(counts, "current")).toBe(values);
    });
  });
}, sharedKinds);
