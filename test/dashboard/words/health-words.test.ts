import { describe, expect, it } from "vitest";
import { Refusal } from "../../../src/core/errors.ts";
import {
  choosePeriods,
  offeredLengths,
} from "../../../src/dashboard/pages/servers/periods/chosen-periods.ts";
import { comparedDays } from "../../../src/dashboard/pages/servers/periods/period-choice.tsx";
import { evidenceName } from "../../../src/dashboard/words/health.ts";
import { capacityWords, periodsSentence } from "../../../src/dashboard/words/periods.ts";
import {
  previewMessages,
  previewRefusal,
  previewSentence,
} from "../../../src/dashboard/words/rule-preview.ts";
import { examplePeriods } from "../../../src/endpoints/api/metric/example-periods.ts";
import { examplePreview } from "../../../src/endpoints/api/alert/example-preview.ts";

const now = Date.parse("2026-11-22T12:30:00.000Z");

describe("a preview in words", () => {
  const quiet = {
    ...examplePreview,
    from: "2026-11-08T12:30:00.000Z",
    to: "2026-11-22T12:30:00.000Z",
    samples: 40_000,
    first_sample_at: "2026-11-08T12:30:12.000Z",
    episodes: [],
    episodes_total: 0,
    minutes_in_alert: 0,
    messages: { opened: 0, resolved: 0 },
    kept_back: { maintenance: 0, flapping: 0, cooldown: 0 },
  };
  const episode = {
    opened_at: "2026-11-20T10:00:00.000Z",
    resolved_at: "2026-11-20T10:12:00.000Z",
    resolution_reason: "recovered",
    worst_value: 12,
    notified: true,
    quiet_reason: null,
  } as const;

  it("[OUR-HPG-06] counts alerts, their time and their messages", () => {
    expect(previewSentence(quiet)).toBe("This rule would not have fired in the last 14 days.");
    expect(previewMessages(quiet)).toBe("No message would have been sent.");
    const twice = {
      ...quiet,
      episodes: [{ ...episode, opened_at: "2026-11-22T12:00:00.000Z", resolved_at: null }, episode],
      episodes_total: 2,
      minutes_in_alert: 42,
      messages: { opened: 1, resolved: 1 },
      kept_back: { maintenance: 0, flapping: 0, cooldown: 1 },
    };
    expect(previewSentence(twice)).toBe(
      "This rule would have fired 2 times in the last 14 days. It would have been in alert for 42 min, the longest time for 30 min.",
    );
    expect(previewMessages(twice)).toBe(
      "Each channel would have sent 2 messages: 1 at the start of an alert, 1 at its end. Alerts without a message: 1 because of the cooldown.",
    );
    // Of alerts that are not all listed the longest one is not known.
    expect(previewSentence({ ...twice, episodes_total: 60 })).toBe(
      "This rule would have fired 60 times in the last 14 days. It would have been in alert for 42 min.",
    );
  });

  it("[OUR-HPG-07] states from when on it speaks, and that nothing is known without measurements", () => {
    expect(previewSentence({ ...quiet, first_sample_at: "2026-11-21T06:00:00.000Z" })).toBe(
      "This rule would not have fired since 2026-11-21 06:00:00 UTC, when its measurements begin.",
    );
    expect(previewSentence({ ...quiet, samples: 0, first_sample_at: null })).toBe(
      "Nothing was measured in the last 14 days, so nothing can be said of this rule.",
    );
    const refused = (field: string) => new Refusal("validation_error", "threshold takes…", { field });
    expect(previewRefusal(refused("threshold"), "tps")).toBe("The threshold is a number from 0 to 20.");
    expect(previewRefusal(refused("cooldown_minutes"), "tps")).toContain("from 0 to 1440");
  });
});

describe("periods", () => {
  const chosen = (query: string, retention = 30) => choosePeriods(new URLSearchParams(query), retention, now);

  it("[OUR-HPG-08] are the last week and the one before, another pair that the plan shows, or chosen days", () => {
    expect(chosen("")).toEqual({ input: { target_from: "-7d" }, days: 7 });
    expect(chosen("days=14")).toEqual({ input: { target_from: "-14d" }, days: 14 });
    expect(chosen("days=30")).toEqual({ input: { target_from: "-7d" }, days: 7 });
    expect(offeredLengths(365)).toEqual([7, 14, 30, 90]);
    expect(offeredLengths(7)).toEqual([3]);
    expect(
      chosen("base_first=2026-11-01&base_last=2026-11-05&target_first=2026-11-18&target_last=2026-11-22"),
    ).toEqual({
      input: {
        base_from: "2026-11-01T00:00:00.000Z",
        base_to: "2026-11-06T00:00:00.000Z",
        target_from: "2026-11-18T00:00:00.000Z",
        // The last day is today, which is not over.
        target_to: "2026-11-22T12:30:00.000Z",
      },
      days: null,
    });
    expect(chosen("target_first=2026-11-18&target_last=2026-11-19")).toEqual({
      input: { target_from: "2026-11-18T00:00:00.000Z", target_to: "2026-11-20T00:00:00.000Z" },
      days: null,
    });
  });

  it("[OUR-HPG-10] that overlap, lie ahead or run backwards are explained", () => {
    expect(chosen("base_first=2026-11-01")).toBe("Choose the first day of the later period.");
    expect(chosen("target_first=2026-11-20&target_last=2026-11-18")).toContain("before its first day");
    expect(chosen("target_first=2026-12-01&target_last=2026-12-02")).toContain("lies ahead");
    expect(chosen("target_first=soon")).toContain("are dates");
    expect(
      chosen("base_first=2026-11-10&base_last=2026-11-18&target_first=2026-11-18&target_last=2026-11-19"),
    ).toContain("overlap");
  });

  it("[OUR-HPG-08] of the form compare again when it is sent as it stands", () => {
    const base = {
      ...examplePeriods.output.base,
      from: "2026-11-08T12:30:00.000Z",
      to: "2026-11-15T12:30:00.000Z",
    };
    const target = { ...base, from: base.to, to: "2026-11-22T12:30:00.000Z" };
    const days = comparedDays({ base, target });
    expect(days).toEqual({
      base_first: "2026-11-08",
      base_last: "2026-11-14",
      target_first: "2026-11-15",
      target_last: "2026-11-22",
    });
    expect(chosen(String(new URLSearchParams(days)))).toMatchObject({ days: null });
  });

  it("[OUR-HPG-08] are summed up in a sentence, and a comparison without a verdict says so", () => {
    const of = (...verdicts: readonly ("worse" | "better" | "no_difference" | "cannot_tell")[]) =>
      periodsSentence(
        verdicts.map((verdict, index) => ({
          field: (["tps", "mspt", "cpu_usage"] as const)[index] ?? "tps",
          verdict,
        })),
      );
    expect(of("worse", "worse", "better")).toBe(
      "Worse in the later period: TPS, MSPT; better in the later period: CPU of the server.",
    );
    expect(of("no_difference", "cannot_tell")).toBe("No figure differs beyond noise.");
    expect(of("cannot_tell", "cannot_tell")).toBe("These periods do not tell whether anything differs.");
  });

  it("[OUR-HPG-09] have a capacity, whose open interval is said", () => {
    const limit = { mspt_ms: 50, players: 19.4, low: 18.6, high: null };
    expect(capacityWords({ ...limit, reached: "measured" })).toBe("19.4 players (18.6 or more)");
    expect(capacityWords({ ...limit, reached: "beyond", players: null, low: 23 })).toContain(
      "more than 23 players",
    );
    expect(capacityWords({ ...limit, reached: "before", players: null })).toContain("fewest players");
  });
});

it("[OUR-HPG-01] names figures of evidence as people do", () => {
  const keys = ["mspt_p95_median", "heap_after_gc_mb", "worst_tick_ms", "open_alerts", "usual_mspt_median"];
  expect(keys.map((key) => evidenceName(key, "tick_over_budget"))).toEqual([
    "MSPT p95, median of 15 min",
    "Heap after GC",
    "Worst tick",
    "Open alerts",
    "Usual MSPT median",
  ]);
  expect(evidenceName("mspt_median", "slower_than_usual")).toBe("MSPT, median of 45 min");
});
