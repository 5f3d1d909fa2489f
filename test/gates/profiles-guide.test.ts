import { expect, it } from "vitest";
import { MemoryIssueCode } from "../../src/core/memory-report/comparability.ts";
import { fallbackReasons, leastSuspectPct } from "../../src/core/memory-report/findings.ts";
import { MemoryReportSchema } from "../../src/core/memory-report/memory-report.ts";
import { Category } from "../../src/core/profile/category.ts";
import { profileComparability, fewSamples } from "../../src/core/profile/comparability.ts";
import { ChangeStatus, ProfileIssueCode } from "../../src/core/profile/profile-comparison.ts";
import { KeyPoint, leastListedPct } from "../../src/core/profile/profile.ts";
import { exampleProfileComparison } from "../../src/endpoints/api/profile/example-profile.ts";
import { uploadMemoryReport } from "../../src/endpoints/plugin/upload-memory-report.ts";
import { uploadProfile } from "../../src/endpoints/plugin/upload-profile.ts";
import { read } from "./sources.ts";

const profiles = read("resources/guides/profiles.md");
const memory = read("resources/guides/memory.md");

/** The text below a heading, up to the next one. */
const section = (guide: string, heading: string): string =>
  guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

/** The issues a guide lists, with their severities. */
const issues = (guide: string): (readonly [string, string])[] =>
  [...guide.matchAll(/^- \*\*([\w-]+)\*\* \((\w+)\):/gm)].map(([, code = "", severity = ""]) => [
    code,
    severity,
  ]);

it("[PRO-16] the guide lists every kind of work, in the order of the answers' own list", () => {
  expect(quoted(section(profiles, "Kinds of work"))).toEqual(Category.options);
});

it("[PRO-17] [PCM-16] the guide names every key point and every status", () => {
  for (const code of KeyPoint.shape.code.options) expect(profiles).toContain(`\`${code}\``);
  for (const status of ChangeStatus.options)
    expect(section(profiles, "Comparing two")).toContain(`\`${status}\``);
});

it("[PCM-07] the guide lists every issue of two profiles with its severity, and no other", () => {
  const side = { shown: exampleProfileComparison.base, ticks: 0, unlistedOwnerPct: 1, reading: 1 };
  const other = {
    ticks: 0,
    unlistedOwnerPct: 1,
    reading: 2,
    shown: {
      ...side.shown,
      trigger: "another",
      server_type: "another",
      server_version: "another",
      java_version: "another",
      service_version: "another",
      lag: { kind: "another", slow_ticks: 1 },
      window_seconds: 10_000,
    },
  };
  const shown = { ...side.shown, lag: { kind: "freeze", slow_ticks: 1 } };
  const raised = profileComparability({ ...side, shown }, other).issues;
  expect(raised.map(({ code }) => code)).toEqual(ProfileIssueCode.options);
  expect(issues(profiles)).toEqual(raised.map(({ code, severity }) => [code, severity]));
});

it("[MEM-22] the guide lists every issue of two memory reports, and no other", () => {
  expect(issues(memory).map(([code]) => code)).toEqual(MemoryIssueCode.options);
});

it("[PRO-11] [PRO-13] [MEM-19] the guides' thresholds are the code's", () => {
  expect(profiles.match(/fewer than (\d+) tick samples/g)).toEqual([
    `fewer than ${fewSamples} tick samples`,
    `fewer than ${fewSamples} tick samples`,
  ]);
  expect(profiles).toContain(`every owner of at least ${leastListedPct} % is listed`);
  expect(memory).toContain(`what retains ${leastSuspectPct} % or more of the reachable bytes`);
});

it("[MEM-07] [MEM-10] the guide names both schemas and every reason of a fallback", () => {
  for (const schema of MemoryReportSchema.options) expect(memory).toContain(`\`${schema}\``);
  const line = memory.split("\n").find((text) => text.startsWith("Reasons of a fallback:")) ?? "";
  expect(quoted(line)).toEqual([...fallbackReasons]);
});

it("the guides name every media type that is taken, and its largest size", () => {
  for (const [guide, endpoint] of [
    [profiles, uploadProfile],
    [memory, uploadMemoryReport],
  ] as const) {
    const named = quoted(section(guide, "Sending one")).filter((word) => word.includes("/x-"));
    expect(named).toEqual(endpoint.files?.types);
    expect(guide).toContain(`${(endpoint.files?.limit ?? 0) / 1024 / 1024} MiB at most`);
  }
});
