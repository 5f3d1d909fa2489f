import { describe, expect, it } from "vitest";
import { ReportedEvent } from "../../../src/core/event/reported-event.ts";
import { eventSeverities, EventCategory } from "../../../src/core/event/server-event.ts";
import type { Json } from "../../support/payload.ts";

const bare: Json = {
  local_id: "1",
  type: "ban",
  category: "moderation",
  source: "LiteBans",
  severity: "warning",
  title: "Banned",
};

const accepts = (changes: Json): boolean => ReportedEvent.safeParse({ ...bare, ...changes }).success;

describe("an event as a plugin sends it", () => {
  it("[OUR-PLG-04] has null for what it leaves out, and nothing that is not known", () => {
    expect(ReportedEvent.parse({ ...bare, later: 1, metadata: undefined })).toEqual({
      ...bare,
      description: null,
      metadata: null,
      timestamp: null,
      duration_ms: null,
    });
  });

  it("[EVT-04] [EVT-05] takes the documented categories and severities alone", () => {
    expect(EventCategory.options).toEqual(["lifecycle", "benchmark", "moderation", "security", "custom"]);
    expect(eventSeverities).toEqual(["info", "warning", "error"]);
    for (const category of EventCategory.options) expect(accepts({ category })).toBe(true);
    for (const severity of eventSeverities) expect(accepts({ severity })).toBe(true);
    for (const wrong of [
      { category: "chat" },
      { category: null },
      { severity: "fatal" },
      { severity: "INFO" },
    ])
      expect(accepts(wrong)).toBe(false);
  });

  it.each([
    ["local_id", 1, 120],
    ["type", 0, 64],
    ["source", 0, 64],
    ["title", 0, 500],
    ["description", 0, 4000],
  ] as const)(
    "[OUR-EVT-01] has a %s of %i to %i characters, whatever they take to write",
    (field, min, max) => {
      for (const character of ["x", "é", "🎮", "\u202e"]) {
        expect(accepts({ [field]: character.repeat(max) })).toBe(true);
        expect(accepts({ [field]: character.repeat(max + 1) })).toBe(false);
      }
      expect(accepts({ [field]: "" })).toBe(min === 0);
      for (const text of ["a\u0000", "\ud800", "\udfffz", 7, {}, true])
        expect(accepts({ [field]: text })).toBe(false);
      expect(accepts({ [field]: null })).toBe(field === "description");
    },
  );

  it("[OUR-EVT-05] has any metadata of up to 16 KiB as compact JSON", () => {
    const fitting = 16 * 1024 - 2;
    for (const metadata of [0, -1.5e-7, false, "", [], {}, { "\u0000": "\ud800" }, [[[null]]]])
      expect(ReportedEvent.parse({ ...bare, metadata }).metadata).toEqual(metadata);
    expect(accepts({ metadata: "x".repeat(fitting) })).toBe(true);
    expect(accepts({ metadata: "x".repeat(fitting + 1) })).toBe(false);
    expect(accepts({ metadata: "é".repeat(fitting / 2) })).toBe(true);
    expect(accepts({ metadata: "é".repeat(fitting / 2 + 1) })).toBe(false);
    // As JSON text these take six bytes each.
    expect(accepts({ metadata: "\u0000".repeat(Math.floor(fitting / 6)) })).toBe(true);
    expect(accepts({ metadata: "\u0000".repeat(Math.floor(fitting / 6) + 1) })).toBe(false);
  });

  it("[EVT-08] [OUR-EVT-01] has a time with a zone and a duration in whole milliseconds, or neither", () => {
    for (const timestamp of ["2026-11-20T08:00:00Z", "2026-11-20T10:00+02:00", null])
      expect(accepts({ timestamp })).toBe(true);
    for (const timestamp of [
      "2026-11-20",
      "2026-11-20T08:00:00",
      "2026-02-30T00:00:00Z",
      1_795_161_600_000,
      "",
    ])
      expect(accepts({ timestamp })).toBe(false);
    for (const duration_ms of [0, 1, 1e12, null]) expect(accepts({ duration_ms })).toBe(true);
    for (const duration_ms of [-1, 1.5, 1e12 + 1, "5"]) expect(accepts({ duration_ms })).toBe(false);
  });
});
