import { storeUnitTests } from "../../services/unit-test/store-unit-tests.ts";
import { z } from "zod";
import { created, defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { Id } from "../../core/id.ts";
import { expiryOn } from "../../core/report/lifetime.ts";
import { parseInstant } from "../../core/time.ts";
import { unitTestContent } from "../../core/unit-test/content.ts";
import type { NewUnitTest } from "../../core/unit-test/records.ts";
import { UnitTestBatch } from "../../core/unit-test/upload.ts";

export const uploadUnitTests = defineEndpoint({
  id: "unit_tests.upload",
  method: "POST",
  path: "/unit-tests",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary: "Upload one single test, or an array of up to 100; they are private at first.",
  input: UnitTestBatch,
  wholeBody: "unit_tests",
  batch: "unit_tests",
  output: z.object({ ids: z.array(Id) }),
  success: [201, 200],
  errors: ["invalid_state"],
  idempotent: true,
  example: {
    input: {
      unit_tests: [
        {
          local_id: "test-2026-11-20_07-12-03",
          plugin_version: "1.10.2",
          test_timestamp: "2026-11-20T07:12:03.000Z",
          test_id: "mechanics_hopper",
          test_name: "Hoppers",
          display_name: "Hoppers after the move",
          category: "mechanics",
          benchmark_mode: "standard",
          outcome: "success",
          success: true,
          duration_ms: 20_113,
          metrics: { transfers_per_ms: 212.4 },
          tps: { avg: 19.9, min: 19.2, max: 20 },
          mspt: { avg: 21.4, min: 14.2, max: 47 },
          server: { type: "paper", game_version: "1.21.8", java_version: "21.0.4" },
          hardware: { cpu_name: "Ryzen 7 7700", cpu_cores: 8, cpu_threads: 16, available_processors: 8 },
        },
      ],
    },
    output: { ids: ["019a9f5e-1d00-7000-8000-000000000040"] },
  },

  async handle({ unit_tests }, { db, caller, now, secrets, fail }) {
    const refuse = (): never =>
      fail(
        "invalid_state",
        "No scheduled run with this nonce is in progress on this server. Send the nonce of a run that is in progress.",
      );
    const { server } = caller;
    const tests = unit_tests.map((upload): NewUnitTest => {
      const { job_nonce: nonce } = upload;
      const testedAt = upload.test_timestamp === null ? null : parseInstant(upload.test_timestamp);
      return {
        id: secrets.newId(now),
        shortId: secrets.newShortId(),
        localId: upload.local_id,
        serverId: server.id,
        authorId: server.accountId,
        parentReportLocalId: upload.parent_report_local_id,
        run: nonce === null ? null : { nonce, refuse },
        source: nonce === null ? "manual" : "auto_bench",
        // A test time in the future comes from a wrong clock.
        testedAt: testedAt === null ? null : Math.min(testedAt, now),
        createdAt: now,
        expiresAt: expiryOn(server.ownerPlan, now),
        content: unitTestContent(upload),
      };
    });
    const { ids, created: count } = await db.write(storeUnitTests, tests);
    return count > 0 ? created({ ids }) : { ids };
  },
});
