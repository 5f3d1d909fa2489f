import { addUploadedReport } from "../../services/report/add-uploaded-report.ts";
import { z } from "zod";
import type { Secrets } from "../../app/access/secrets.ts";
import { created, defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { Id } from "../../core/id.ts";
import type { NewNotice } from "../../core/notice/notice.ts";
import { newReportMessage } from "../../core/notice/notices.ts";
import { reportContent } from "../../core/report/detail.ts";
import { leadScore } from "../../core/report/lead-score.ts";
import { expiryOn } from "../../core/report/lifetime.ts";
import { ReportPayload } from "../../core/report/payload.ts";
import { scoreReport } from "../../core/report/scoring.ts";
import type { NewReport } from "../../core/report/records.ts";
import type { ReportedSoftware } from "../../core/software/reported-software.ts";
import { parseInstant } from "../../core/time.ts";
import { unitTestOfReport } from "../../core/unit-test/content.ts";
import type { NewUnitTest } from "../../core/unit-test/records.ts";
import { exampleUpload } from "./example-upload.ts";

export const uploadReport = defineEndpoint({
  id: "reports.upload",
  method: "POST",
  path: "/reports",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary: "Upload a benchmark run; it is scored here and private at first.",
  input: ReportPayload,
  batch: "report",
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

  async handle(payload, { db, caller, now, secrets, sent, baseUrl, fail }) {
    const refuse = (): never =>
      fail(
        "invalid_state",
        "No scheduled run with this nonce is in progress on this server. Send the nonce of a run that is in progress.",
      );
    const { job_nonce: nonce } = payload;
    if (payload.source === "auto_bench" && nonce === null) refuse();
    const content = reportContent(payload, scoreReport(payload));
    const { server } = caller;
    const shortId = secrets.newShortId();
    const notice: NewNotice = {
      id: secrets.newId(now),
      accountId: server.accountId,
      kind: "report",
      serverId: server.id,
      message: newReportMessage(
        { serverName: server.name, mode: content.benchmark_mode, lead: leadScore(content.scores) },
        pageOf(shortId),
      ),
      now,
    };
    const report: NewReport = {
      id: secrets.newId(now),
      shortId,
      localId: payload.local_id,
      serverId: server.id,
      authorId: server.accountId,
      source: nonce === null ? "manual" : "auto_bench",
      run: nonce === null ? null : { nonce, refuse },
      createdAt: now,
      finishedAt: Math.min(parseInstant(payload.finished_at) ?? now, now),
      expiresAt: expiryOn(server.ownerPlan, now),
      description: content.description,
      content,
      payload: JSON.stringify(sent),
    };
    const single = unitTestOf(payload, report, secrets);
    const stored = await db.write(
      addUploadedReport,
      report,
      softwareOfReport(payload),
      server.notifyOnReport ? notice : null,
      single,
    );
    const { id, created: isNew } = stored;
    const answer = { id, short_id: stored.shortId, url: baseUrl + pageOf(stored.shortId) };
    return isNew ? created(answer) : answer;
  },
});

const pageOf = (shortId: string): string => `/reports/${shortId}`;

/** Only flags of the JVM are kept, because properties can hold secrets. */
const softwareOfReport = ({ server, jvm, plugin_version }: ReportPayload): ReportedSoftware => ({
  server: { type: server.type, name: server.type_name, version: server.game_version, build: server.build },
  java: {
    version: server.java_version,
    vendor: server.java_vendor,
    flags: jvm.flags?.filter((flag) => flag.startsWith("-X")) ?? null,
  },
  plugin_version,
});

/** A custom run of one test is also stored as that unit test, with the report as its parent. */
function unitTestOf(payload: ReportPayload, report: NewReport, secrets: Secrets): NewUnitTest | null {
  const content = unitTestOfReport(payload);
  if (content === null) return null;
  const { localId, serverId, authorId, source, createdAt, expiresAt, finishedAt } = report;
  return {
    id: secrets.newId(createdAt),
    shortId: secrets.newShortId(),
    // The plugin's own ids never have this form, so they cannot collide with it.
    localId: `report ${report.id}`,
    parentReportLocalId: localId,
    run: null,
    testedAt: finishedAt,
    serverId,
    authorId,
    source,
    createdAt,
    expiresAt,
    content,
  };
}
