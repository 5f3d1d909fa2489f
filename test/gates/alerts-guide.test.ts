import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RuleState } from "../../src/core/alert/alert-rule.ts";
import { ResolutionReason } from "../../src/core/alert/alert.ts";
import { DeliveryReason, DeliveryStatus } from "../../src/core/alert/delivery.ts";
import { metricLimits } from "../../src/core/alert/limits.ts";
import { mostUnanswered, nextAttemptAt, retryForMs } from "../../src/core/notice/retry.ts";
import { hourMs } from "../../src/core/time.ts";
import { failure } from "../store/alert/alerting.ts";
import { onlineWithinMs } from "../../src/core/server/status.ts";

const guide = readFileSync(new URL("../../resources/guides/alerts.md", import.meta.url), "utf8");

/** The words explained in each list of the guide. */
const lists = guide
  .split(/\n\n(?=- \*\*)/)
  .slice(1)
  .map((list) => [...(list.split("\n\n")[0]?.matchAll(/^- \*\*(\w+)\*\*/gm) ?? [])].map(([, word]) => word));

it("[OUR-ALR-60] the guide explains every state, reason and delivery status, and no other", () => {
  expect(lists).toEqual([
    RuleState.options,
    ResolutionReason.options,
    DeliveryStatus.options,
    DeliveryReason.options,
  ]);
});

it("[OUR-ALR-60] the guide's numbers are the code's", () => {
  const pause = (attempt: number): number =>
    nextAttemptAt({ queuedAt: 0, attempt, unanswered: 0 }, failure(), 0) ?? 0;
  expect([mostUnanswered, pause(20)]).toEqual([3, hourMs]);
  expect(guide).toContain(
    `tried\nagain for ${retryForMs / hourMs} hours, after ${pause(1) / 1000} s, ${pause(2) / 1000} s,`,
  );
  expect(guide).toContain(`${onlineWithinMs / 1000} s without a sample`);
  const { tps, mspt, cpu_usage, ram_used_mb, disk_free_mb } = metricLimits;
  expect(guide).toContain(
    `TPS ${tps.margin.amount}, MSPT ${mspt.margin.amount} ms, CPU ${cpu_usage.margin.amount} points, memory ${ram_used_mb.margin.amount * 100} % of the`,
  );
  expect(guide).toContain(`free disk space ${disk_free_mb.margin.amount * 100} % of it`);
});
