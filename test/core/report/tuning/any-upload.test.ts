import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReportPayload } from "../../../../src/core/report/payload.ts";
import { adviseTuning, TuningAdvice } from "../../../../src/core/report/tuning/tuning-advice.ts";
import { anyPayload } from "../any-payload.ts";
import { randomCases } from "../../../support/long.ts";

const report = { id: "full", shortId: "short", content: { algorithm_version: "1" } };
const codes = ({ recommendations }: TuningAdvice): string[] => recommendations.map(({ code }) => code);
const runs = { numRuns: randomCases(300) };

describe("whatever was uploaded", () => {
  const holds = {
    above: (a: number, b: number) => a > b,
    below: (a: number, b: number) => a < b,
    at_least: (a: number, b: number) => a >= b,
    at_most: (a: number, b: number) => a <= b,
    equals: (a: number, b: number) => a === b,
  };

  it("[OUR-TUN-12] every answer reads as declared", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const answer = adviseTuning(report, payload);
        expect(TuningAdvice.parse(answer)).toEqual(answer);
      }),
      runs,
    );
  });

  it("[OUR-TUN-01] a trigger is true as it is told, and nothing is suggested that is set", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        for (const { trigger, current, suggested } of adviseTuning(report, payload).recommendations) {
          expect(holds[trigger.comparator](trigger.value, trigger.threshold)).toBe(true);
          expect(suggested).not.toBeNull();
          expect(suggested).not.toBe(current);
        }
      }),
      runs,
    );
  });

  it("[OUR-TUN-17] most impact comes first, then least risk, then the code", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const places = adviseTuning(report, payload).recommendations.map(
          ({ impact, risk, code }) =>
            `${["high", "medium", "low"].indexOf(impact)} ${["none", "low", "medium"].indexOf(risk)} ${code}`,
        );
        expect(places).toEqual([...new Set(places)].sort());
      }),
      runs,
    );
  });

  it("[TUN-03] [OUR-TUN-13] an area's status, reason and count agree with one another and the recommendations", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const { areas, recommendations } = adviseTuning(report, payload);
        for (const { area, status, reason, recommendations: count } of areas) {
          expect(recommendations.filter((recommendation) => recommendation.area === area)).toHaveLength(
            count,
          );
          expect(status === "recommended").toBe(count > 0);
          expect(reason !== null).toBe(status === "not_measured");
        }
      }),
      runs,
    );
  });

  it("[OUR-TUN-02] what is not known never brings forth a recommendation of a setting", () => {
    fc.assert(
      fc.property(
        anyPayload,
        fc.constantFrom("hardware", "host", "jvm", "ticks", "gc", "heap", "config", "tests", "server"),
        (payload, block) => {
          const less = ReportPayload.parse({ ...payload, [block]: block === "tests" ? [] : {} });
          const known = new Set(codes(adviseTuning(report, payload)));
          for (const { code, setting } of adviseTuning(report, less).recommendations)
            // Without the limit of its container, a heap has the machine's memory as its room.
            if (
              block !== "server" &&
              setting.kind !== "host" &&
              !(block === "host" && code === "memory_raise_heap")
            )
              expect(known).toContain(code);
        },
      ),
      runs,
    );
  });

  it("[OUR-TUN-03] two pieces of advice on the same heap never pull in two directions", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const sizes = codes(adviseTuning(report, payload)).filter((code) =>
          ["memory_raise_heap", "memory_leave_headroom"].includes(code),
        );
        expect(sizes.length).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });
});
