import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnose, Diagnosis, findingsIn } from "../../../../src/core/report/diagnosis/diagnosis.ts";
import { DiagnosisCode, DiagnosisFinding } from "../../../../src/core/report/diagnosis/finding.ts";
import { thresholds } from "../../../../src/core/report/diagnosis/thresholds.ts";
import { ReportPayload } from "../../../../src/core/report/payload.ts";
import { acceptedPayload, referencePayload } from "../../../support/payload.ts";
import { anyPayload } from "../any-payload.ts";
import { randomCases } from "../../../support/long.ts";

const report = { id: "full", shortId: "short", content: { algorithm_version: "1" } };

/** Every number that stands anywhere in a value. */
function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === "number") yield value;
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) yield* numbersIn(part);
}

describe("the answer", () => {
  it("[DIA-02] [DIA-03] names the report, the scoring's version and its own", () => {
    const diagnosis = diagnose(report, acceptedPayload());
    expect(diagnosis).toEqual({
      report_id: "full",
      short_id: "short",
      algorithm_version: "1",
      diagnosis_version: "1",
      findings: [],
    });
    expect(Object.keys(diagnosis)).toEqual(Object.keys(Diagnosis.shape));
    const custom = { ...report, content: { algorithm_version: null } };
    expect(diagnose(custom, acceptedPayload({ benchmark_mode: "custom" })).algorithm_version).toBeNull();
  });

  it("[DIA-04] [DIA-05] [DIA-06] [DIA-07] [DIA-08] a finding has the documented fields, codes, severities and causes", () => {
    const { code, severity, cause } = DiagnosisFinding.shape;
    const documented = ["code", "severity", "subject", "cause", "evidence"];
    expect(Object.keys(DiagnosisFinding.shape)).toEqual([...documented, "reason_code"]);
    expect(code.options).toHaveLength(14);
    expect(severity.options).toEqual(["critical", "warning", "info"]);
    expect(cause.unwrap().options).toEqual([
      "bench_artifact",
      "cpu_quota",
      "disk_latency",
      "disk_random_read",
      "gc_pause",
      "host_config",
      "jvm_heap",
      "noisy_neighbour",
      "single_core",
      "unmeasured",
    ]);
    expect(DiagnosisCode.options).toEqual(Object.keys(thresholds));
  });
});

describe("whatever was uploaded", () => {
  it("[OUR-DIA-01] every code can be found, and every finding reads as documented", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const findings = findingsIn(payload);
        expect(DiagnosisFinding.array().parse(findings)).toEqual(findings);
        for (const { code } of findings) seen.add(code);
      }),
      { numRuns: randomCases(1000), seed: 20_261_120 },
    );
    expect([...seen].sort()).toEqual(DiagnosisCode.options);
  });

  it("[DIA-09] evidence holds numbers of the upload and published thresholds, never one worked out, and no null", () => {
    const published = new Set(numbersIn(thresholds));
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const measured = new Set(numbersIn(payload));
        for (const { evidence } of findingsIn(payload)) {
          for (const { key, value } of evidence) {
            expect(value).not.toBeNull();
            if (value !== null && !measured.has(value)) {
              expect(published).toContain(value);
              expect(key).toMatch(/^(?:threshold|assumed|tick_budget)_/);
            }
          }
        }
      }),
      { numRuns: randomCases(300) },
    );
  });

  it("[OUR-DIA-11] findings stand worst first, then by code and subject, each once", () => {
    const order = (finding: DiagnosisFinding): string =>
      [["critical", "warning", "info"].indexOf(finding.severity), finding.code, finding.subject ?? ""].join(
        "\u0000",
      );
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const places = findingsIn(payload).map(order);
        expect(places).toEqual([...new Set(places)].sort());
      }),
      { numRuns: randomCases(300) },
    );
  });

  it("[DIA-13] spikes are of garbage collection or off the CPU, never both, and never without being spikes", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const found = findingsIn(payload).map(({ code }) => code);
        const kinds = found.filter((code) => code.startsWith("tick_spikes_"));
        expect(kinds.length).toBeLessThanOrEqual(found.includes("tick_spikes") ? 1 : 0);
      }),
      { numRuns: randomCases(300) },
    );
  });

  it("[OUR-DIA-01] [OUR-DIA-17] an upload of which nothing was measured has no finding", () => {
    const { schema, local_id, plugin_version, started_at, finished_at } = referencePayload();
    for (const benchmark_mode of ["standard", "stresslimit", "custom"]) {
      const bare = { schema, local_id, plugin_version, started_at, finished_at, benchmark_mode };
      const payload = ReportPayload.parse({ ...bare, server: {}, hardware: {}, tests: [] });
      expect(findingsIn(payload)).toEqual([]);
    }
  });

  it("[OUR-DIA-17] an upload without one of its blocks is diagnosed, and no evidence comes from there", () => {
    fc.assert(
      fc.property(
        anyPayload,
        fc.constantFrom("hardware", "host", "ticks", "gc", "heap"),
        (payload, block) => {
          const without = ReportPayload.parse({ ...payload, [block]: {} });
          const measured = new Set([...numbersIn(without), ...numbersIn(thresholds)]);
          for (const { evidence } of findingsIn(without))
            for (const { value } of evidence) expect(measured).toContain(value);
        },
      ),
      { numRuns: randomCases(200) },
    );
  });
});
