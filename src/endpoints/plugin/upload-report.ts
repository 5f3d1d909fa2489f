import { z } from "zod";
import { created, defineEndpoint } from "../../contract/endpoint.ts";
import { Id } from "../../core/id.ts";
import { reportContent } from "../../core/report/detail.ts";
import { ReportPayload } from "../../core/report/payload.ts";
import { scoreReport } from "../../core/report/scoring.ts";
import { parseInstant } from "../../core/time.ts";
import { exampleUpload } from "./example-upload.ts";

/** Reports of Free accounts are kept for 90 days, ms. */
const freeLifetimeMs = 90 * 24 * 60 * 60 * 1000;

export const uploadReport = defineEndpoint({
  id: "reports.upload",
  method: "POST",
  path: "/reports",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary: "Upload a benchmark run; it is scored here and starts private.",
  input: ReportPayload,
  output: z.object({ id: Id, short_id: Id, url: z.string() }),
  success: [201, 200],
  errors: ["invalid_state"],
  idempotent: true,
  example: {
    input: exampleUpload,
    output: {
      id: "019a9f5e-1d00-7000-8000-000000000030",
      short_id: "k7m2q9xwpd4e",
      url: "https://tickmark.example/reports/k7m2q9xwpd4e",
    },
  },

  async handle(payload, { stores, caller, now, secrets, sent, baseUrl, fail }) {
    if (payload.source === "auto_bench" || payload.job_nonce !== null) {
      fail("invalid_state", "No scheduled run with this nonce is in flight on this server.");
    }
    const content = reportContent(payload, scoreReport(payload));
    const {
      id,
      shortId,
      created: isNew,
    } = await stores.reports.insert({
      id: secrets.newId(now),
      shortId: secrets.newShortId(),
      localId: payload.local_id,
      serverId: caller.server.id,
      authorId: caller.server.accountId,
      source: "manual",
      createdAt: now,
      finishedAt: Math.min(parseInstant(payload.finished_at) ?? now, now),
      expiresAt: caller.server.ownerPlan === "free" ? now + freeLifetimeMs : null,
      description: content.description,
      content,
      payload: JSON.stringify(sent),
    });
    const told = { id, short_id: shortId, url: `${baseUrl}/reports/${shortId}` };
    return isNew ? created(told) : told;
  },
});
