import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { scopes } from "../../../src/core/access/scope.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { diagnoseReport } from "../../../src/endpoints/api/report/diagnose-report.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import { getTuningAdvice } from "../../../src/endpoints/api/report/get-tuning-advice.ts";
import { httpServer } from "../../../src/rest/http-server.ts";
import { mountEndpoints } from "../../../src/rest/routes.ts";
import reportDiagnosis from "../../../resources/report-diagnosis.ts";
import reportTuning from "../../../resources/report-tuning.ts";
import diagnoseTool from "../../../tools/diagnose-report.ts";
import tuningTool from "../../../tools/get-tuning-advice.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { referencePayload, type Json } from "../../support/payload.ts";

let at: TestApp;
let http: FastifyInstance;
let owner: Account;
let server: ServerRecord;
let secret: string;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  http = httpServer(at.app, []);
  const endpoints = [getReport, diagnoseReport, getTuningAdvice];
  mountEndpoints(http, { prefix: "/api/v1", endpoints }, at.app);
  owner = await at.account("pro");
  secret = (await at.token(owner)).secret;
  server = await at.server(owner);
});

afterAll(async () => {
  expect(at.defects).toEqual([]);
  await http.close();
  await at.close();
});

async function get(path: string, as: string | null = secret) {
  const headers = as === null ? {} : { authorization: `Bearer ${as}` };
  const { statusCode, body } = await http.inject({ method: "GET", url: `/api/v1/reports/${path}`, headers });
  return { status: statusCode, json: JSON.parse(body) as Json, body };
}

const slow = {
  hardware: { ...(referencePayload()["hardware"] as Json), cpu_cores: 8, available_processors: 2 },
};

describe("a diagnosis and tuning advice", () => {
  it("[DIA-01] [TUN-01] are of one report, by its full and by its short id", async () => {
    const { id, shortId } = await at.report(server, slow);
    const diagnosis = await get(`${id}/diagnosis`);
    expect(diagnosis.status).toBe(200);
    expect(diagnosis.json).toMatchObject({
      report_id: id,
      short_id: shortId,
      algorithm_version: "1",
      diagnosis_version: "1",
      findings: [{ code: "cpu_quota", severity: "warning", subject: null, cause: "cpu_quota" }],
    });
    expect((await get(`${shortId}/diagnosis`)).json).toEqual(diagnosis.json);
    const tuning = await get(`${id}/tuning`);
    expect(tuning.json).toMatchObject({
      report_id: id,
      short_id: shortId,
      areas: expect.arrayContaining([
        { area: "cpu", status: "recommended", reason: null, recommendations: 1 },
      ]),
      recommendations: [{ code: "cpu_raise_quota", retest: { test_id: "cpu_multi_core" } }],
    });
    expect((await get(`${shortId}/tuning`)).json).toEqual(tuning.json);
  });

  it("[DIA-01] [TUN-01] open to exactly those the report opens to, at each visibility, in the same words", async () => {
    const stranger = (await at.token(await at.account())).secret;
    const admin = (await at.token(await at.account("pro", "admin"))).secret;
    for (const visibility of ["public", "unlisted", "private"] as const) {
      const { id } = await at.report(server, {}, visibility);
      for (const as of [secret, stranger, admin, null]) {
        const report = await get(id, as);
        for (const what of ["diagnosis", "tuning"]) {
          const judged = await get(`${id}/${what}`, as);
          expect(judged.status).toBe(report.status);
          if (report.status !== 200) expect(judged.body).toBe(report.body);
        }
      }
    }
    expect((await get("zzzzzzzzzzzz/diagnosis")).status).toBe(404);
  });

  it("[DIA-01] [TUN-01] need the scope with a token, and take no parameter", async () => {
    const { id } = await at.report(server, {}, "public");
    const blind = await at.token(
      owner,
      scopes.filter((scope) => scope !== "reports:read"),
    );
    for (const what of ["diagnosis", "tuning"]) {
      const refused = await get(`${id}/${what}`, blind.secret);
      expect([refused.status, refused.json["required_scope"]]).toEqual([403, "reports:read"]);
      expect((await get(`${id}/${what}?verbose=true`)).status).toBe(400);
    }
  });

  it("[DIA-02] [TUN-03] a custom run is told without a version, and gives no advice", async () => {
    const { id } = await at.report(server, { benchmark_mode: "custom" });
    expect((await get(`${id}/diagnosis`)).json).toMatchObject({ algorithm_version: null, findings: [] });
    const { areas } = (await get(`${id}/tuning`)).json;
    expect(areas).toEqual(
      ["cpu", "memory", "jvm", "disk", "chunks", "entities", "mechanics"].map((area) => ({
        area,
        status: "not_measured",
        reason: "custom_mode",
        recommendations: 0,
      })),
    );
  });

  it("[DIA-09] words of a plugin are told as they are, and marked as its own", async () => {
    const test = { test_id: "own:x", outcome: "success", success: true };
    const host_limit = { setting: "do \u202e this", limit: 1, needed: 2, unit: "<b>" };
    const { id } = await at.report(server, { tests: [{ ...test, host_limit }] });
    expect((await get(`${id}/diagnosis`)).json["findings"]).toEqual([
      {
        code: "host_constrained",
        severity: "warning",
        subject: "own:x",
        cause: "host_config",
        evidence: [
          { key: "do \u202e this", value: 1, unit: "<b>" },
          { key: "needed", value: 2, unit: "<b>" },
        ],
        reason_code: null,
      },
    ]);
    expect(diagnoseTool.view.thirdParty.paths).toEqual([
      "findings[].subject",
      "findings[].evidence[].key",
      "findings[].evidence[].unit",
      "findings[].reason_code",
    ]);
    expect(tuningTool.view.thirdParty.paths).toEqual([]);
  });

  it("[OUR-MCP-23] have their own resources below the report's", () => {
    expect(reportDiagnosis.match("tickmark://reports/k7m2q9xwpd4e/diagnosis")).toEqual({
      report_id: "k7m2q9xwpd4e",
    });
    expect(reportTuning.match("tickmark://reports/k7m2q9xwpd4e/tuning")).toEqual({
      report_id: "k7m2q9xwpd4e",
    });
    expect(reportTuning.match("tickmark://reports/k7m2q9xwpd4e/diagnosis")).toBeNull();
  });
});
