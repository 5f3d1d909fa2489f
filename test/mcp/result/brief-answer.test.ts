import { expect, it } from "vitest";
import { withBriefRows, type BriefRows } from "../../../src/mcp/result/brief-rows.ts";

const brief: BriefRows = {
  members: { id: true, findings: { code: true, evidence: { key: true, measured_at: true } } },
  ofAnswer: { usual: {}, once: [], named: "id", dated: "measured_at" },
};

const at = (minute: string): string => `2026-11-20T${minute}:00.000Z`;

it("[OUR-MCP-130] shows the newest instant once, and those that differ by more than a minute where they differ", () => {
  const evidence = (key: string, minute: string) => ({ key, measured_at: at(minute), value: 1 });
  const answer = {
    id: "s",
    findings: [
      { code: "now", evidence: [evidence("a", "08:00"), evidence("b", "07:59")] },
      { code: "before", evidence: [evidence("c", "06:00"), evidence("d", "06:00"), evidence("e", "08:00")] },
      { code: "half", evidence: [evidence("f", "08:00"), evidence("g", "07:00")] },
      { code: "none", evidence: [] },
    ],
  };
  expect(withBriefRows(answer, brief)).toEqual({
    measured_at: at("08:00"),
    id: "s",
    findings: [
      { code: "now", evidence: [{ key: "a" }, { key: "b" }] },
      {
        code: "before",
        evidence: [{ key: "c" }, { key: "d" }, { key: "e", measured_at: at("08:00") }],
        measured_at: at("06:00"),
      },
      { code: "half", evidence: [{ key: "f" }, { key: "g", measured_at: at("07:00") }] },
      { code: "none" },
    ],
  });
  expect(withBriefRows({ id: "s", findings: [] }, brief)).toEqual({ id: "s" });
});
