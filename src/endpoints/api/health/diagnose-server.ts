import { z } from "zod";
import { checkPeriod, permittedPeriod } from "../../../contract/call/permitted-period.ts";
import { regressionSince } from "../../../services/auto-bench/scheduled-runs.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { evaluateHealth, judgeHealth } from "../../../core/health/evaluate.ts";
import { ServerHealth } from "../../../core/health/health.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { presetPeriod, writtenPeriodInput } from "../../../core/metric/period.ts";
import { keepAnswer } from "../../../services/health/keep-answer.ts";
import { readHealthFacts } from "../../../services/health/read-health-facts.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { exampleHealth } from "./example-health.ts";

const usualRange = "24h";

export const diagnoseServer = defineEndpoint({
  id: "servers.health",
  method: "GET",
  path: "/servers/{id}/health",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "What is wrong with an own server, since when, what changed, and what to do.",
  isAddition: true,
  input: z.strictObject({ server_id: resourceIdInput(), ...writtenPeriodInput }),
  output: ServerHealth,
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: { input: { server_id: exampleHealth.server_id }, output: exampleHealth },

  check(input, { now, fail }) {
    checkPeriod(input, now, fail);
  },

  async handle({ server_id, ...input }, { db, caller, now, baseUrl, found, fail }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const { limits } = caller;
    const usual = presetPeriod(usualRange, now);
    const { from, to } = permittedPeriod(input, usual, limits.retention_days, now, fail);
    const facts = await readHealthFacts(db, {
      server,
      limits,
      from,
      to,
      now,
      regressionSince: await regressionSince(db, server, now),
    });
    const { findings, ...evaluation } = judgeHealth(facts);
    await keepAnswer(db, { server, limits, facts, evaluation, now });
    return {
      ...evaluateHealth(facts, { findings, ...evaluation }),
      urls: { server: `${baseUrl}/servers/${server.id}` },
    };
  },
});
