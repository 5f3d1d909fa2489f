import { selectReport, selectReportPayload } from "../../../store/report/reports.ts";
import { selectRunsBefore } from "../../../store/report/runs-around.ts";
import { selectRanks } from "../../../store/report/standings.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { addition } from "../../../core/addition.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { ReportDetail } from "../../../core/report/report.ts";
import { rightsOver } from "../../../core/report/rights.ts";
import { RunSettings, runSettings } from "../../../core/report/run-settings.ts";
import { Standing, standingOf } from "../../../core/report/standing.ts";
import { UsualScores, usualScores } from "../../../core/report/usual-scores.ts";
import { storedPayload } from "../../../core/report/stored-payload.ts";
import { toReportDetail } from "../../../core/report/show.ts";
import { exampleReportDetail, exampleRunSettings, exampleStanding, exampleUsual } from "./example-report.ts";

const ReportWithStanding = ReportDetail.extend({
  /** The place among the public reports; null if no score has one. */
  standing: addition(Standing.nullable()),
  /** Null if the upload can no longer be read. */
  settings: addition(RunSettings.nullable()),
  /** For the server's owner alone; null with fewer than three earlier runs of the same machine and software. */
  usual: addition(UsualScores.nullable()),
});

export const getReport = defineEndpoint({
  id: "reports.get",
  method: "GET",
  path: "/reports/{id}",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "One benchmark report in full.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: ReportWithStanding,
  errors: ["not_found"],
  example: {
    input: { report_id: exampleReportDetail.short_id },
    output: {
      ...exampleReportDetail,
      standing: exampleStanding,
      settings: exampleRunSettings,
      usual: exampleUsual,
    },
  },

  async handle({ report_id }, { db, caller, now, found }) {
    const viewer = viewerOf(caller);
    const report = found(await db.read(selectReport, report_id, viewer, now));
    const { algorithm_version: algorithmVersion, benchmark_mode: benchmarkMode } = report.content;
    const ranks =
      algorithmVersion === null ? null : await db.read(selectRanks, { algorithmVersion, benchmarkMode });
    const upload = await db.read(selectReportPayload, report.id);
    const payload = upload === null ? null : storedPayload(upload);
    const account =
      viewer.accountId !== null && report.holderId === viewer.accountId ? viewer.accountId : null;
    const earlier =
      account === null || report.serverId === null
        ? []
        : await db.read(selectRunsBefore, report.finishedAt, { server: report.serverId, account, now });
    const isOwner = viewer.accountId !== null && rightsOver(report, viewer.accountId).description;
    return {
      ...toReportDetail(report, viewer, now),
      standing: standingOf(report.content, ranks),
      settings: payload && runSettings(payload, isOwner),
      usual: usualScores(report, earlier),
    };
  },
});
