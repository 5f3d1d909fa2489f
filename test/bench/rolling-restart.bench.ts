import { describe, expect, it } from "vitest";
import { eachDatabase } from "../support/databases.ts";
import { hasProgram } from "../support/programs.ts";
import { rollingRestart } from "../support/rolling-restart.ts";
import { caddyOfGuide, nginxOfGuide } from "../support/two-upstreams.ts";

/** Rests around the two restarts, s, and how many requests a second are offered. */
const restSeconds = Number(process.env["BENCH_REST"] ?? 10);
const perSecond = Number(process.env["BENCH_RATE"] ?? 200);

eachDatabase(
  (databases) => {
    for (const proxy of [nginxOfGuide, caddyOfGuide])
      describe.skipIf(!hasProgram(proxy.program, proxy.versionArgument))(proxy.program, () => {
        it("two processes are replaced one after the other under load: requests that fail", async () => {
          const run = await rollingRestart(await databases.url(), proxy, { perSecond, restSeconds });
          console.log(
            `rolling restart behind ${proxy.program}: offered ${run.offered} in ${run.seconds.toFixed(0)} s, answered ${run.answered}, ` +
              `failed ${JSON.stringify(run.failed)}; p50 ${run.p50Ms.toFixed(0)} ms, p99 ${run.p99Ms.toFixed(0)} ms, ` +
              `longest ${run.longestMs.toFixed(0)} ms`,
          );
          expect(run.failed).toEqual({});
        });
      });
  },
  ["PostgreSQL"],
);
