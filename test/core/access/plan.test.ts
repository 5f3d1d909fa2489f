import { describe, expect, it } from "vitest";
import {
  defaultPlans,
  planIncludes,
  planNames,
  PlanOverrides,
  withOverrides,
} from "../../../src/core/access/plan.ts";
import { bindingWindow, type WindowState } from "../../../src/core/access/rate-window.ts";

const limitsOf = (name: "daily_calls" | "tokens" | "hourly_calls") =>
  planNames.map((plan) => defaultPlans[plan][name]);

describe("plans", () => {
  it("[QUO-04] [ACC-22] have the published calls a day and tokens", () => {
    expect(limitsOf("daily_calls")).toEqual([10, 50, 150, 500]);
    expect(limitsOf("tokens")).toEqual([1, 5, 10, 20]);
    expect(limitsOf("hourly_calls")).toEqual([600, 600, 600, 600]);
  });

  it("[OUR-PLN-01] include a feature when its number is not zero", () => {
    expect(planNames.map((name) => planIncludes(defaultPlans[name], "monitoring"))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(planNames.map((name) => planIncludes(defaultPlans[name], "auto-bench"))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("[OUR-PLN-02] take the operator's limits over the defaults, and refuse names they do not know", () => {
    const plans = withOverrides(PlanOverrides.parse({ free: { daily_calls: 3 } }));
    expect(plans.free).toEqual({ ...defaultPlans.free, daily_calls: 3 });
    expect(plans.pro).toEqual(defaultPlans.pro);
    expect(PlanOverrides.safeParse({ free: { dayly_calls: 3 } }).success).toBe(false);
    expect(PlanOverrides.safeParse({ gold: {} }).success).toBe(false);
    expect(PlanOverrides.safeParse({ pro: { tokens: -1 } }).success).toBe(false);
  });
});

describe("the window that binds", () => {
  const window = (
    limit: number,
    used: number,
    resetAt: number | null,
    lengthMs = 3_600_000,
  ): WindowState => ({ limit, used, resetAt, lengthMs });

  it("[QUO-03] is the one with fewer calls left", () => {
    expect(bindingWindow({ day: window(50, 10, 100), hour: window(600, 3, 50) }, 0)).toBe("day");
    expect(bindingWindow({ day: window(5000, 10, 100), hour: window(600, 3, 50) }, 0)).toBe("hour");
  });

  it("[QUO-03] is on a tie the one that resets later", () => {
    expect(bindingWindow({ day: window(10, 0, 100), hour: window(10, 0, 200) }, 0)).toBe("hour");
    expect(bindingWindow({ day: window(10, 0, 200), hour: window(10, 0, 100) }, 0)).toBe("day");
  });

  it("[QUO-05] is the day for a caller without a token", () => {
    expect(bindingWindow({ day: window(10, 0, null), hour: null }, 0)).toBe("day");
  });
});
