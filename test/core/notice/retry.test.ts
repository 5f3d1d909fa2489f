import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import {
  mostAttempts,
  mostUnanswered,
  nextAttemptAt,
  retryForMs,
  unansweredAfter,
} from "../../../src/core/notice/retry.ts";
import type { Again } from "../../../src/core/notice/notifier.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/core/time.ts";
import { failure } from "../../store/alert/alerting.ts";

const noon = Date.UTC(2026, 10, 20, 12);
const first = { queuedAt: noon, attempt: 1, unanswered: 0 };

describe("when a message is tried again", () => {
  it("[OUR-ALR-47] never later than 24 hours after it was queued, the last time at their end", () => {
    const late = { ...first, attempt: 20 };
    expect(nextAttemptAt(late, failure(), noon + retryForMs - minuteMs)).toBe(noon + retryForMs);
    expect(nextAttemptAt(late, failure(), noon + retryForMs)).toBeNull();
  });

  it("[OUR-ALR-47] for an hour however old it is: a service that was off for days tries too", () => {
    const now = noon + 3 * dayMs;
    expect(nextAttemptAt(first, failure(), now)).toBe(now + 30 * secondMs);
    expect(nextAttemptAt({ ...first, attempt: 8 }, failure(), now)).toBeNull();
  });

  it("[OUR-ALR-66] not before the time that the other side asks to wait, and not at all where that is too long", () => {
    const asked = (retryAfterMs: number) => nextAttemptAt(first, failure({ retryAfterMs }), noon);
    expect(asked(5 * secondMs)).toBe(noon + 30 * secondMs);
    expect(asked(5 * hourMs)).toBe(noon + 5 * hourMs);
    expect(asked(dayMs)).toBe(noon + dayMs);
    expect(asked(dayMs + 1)).toBeNull();
  });

  it("[OUR-ALR-18] [OUR-ALR-47] whatever clocks and answers do, every message comes to an end", () => {
    const answer = fc.record({
      again: fc.constantFrom<Again>("later", "later", "later", "later", "unknown"),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 2 * dayMs })),
    });
    const leap = fc.constantFrom(0, 0, 0, 0, -400 * dayMs, 400 * dayMs, -hourMs, hourMs);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(answer, leap), { minLength: 60, maxLength: 60 }),
        leap,
        (rounds, start) => {
          let now = noon + start;
          let unanswered = 0;
          let attempts = 1;
          for (const [changes, leapt] of rounds) {
            const failed = failure(changes);
            const standing = { queuedAt: noon, attempt: attempts, unanswered };
            const next = nextAttemptAt(standing, failed, now);
            if (next === null) break;
            expect(next).toBeGreaterThan(now);
            expect(next - now).toBeLessThanOrEqual(retryForMs);
            unanswered = unansweredAfter(standing, failed);
            now = next + leapt;
            attempts += 1;
          }
          expect(attempts).toBeLessThanOrEqual(mostAttempts);
          expect(unanswered).toBeLessThan(mostUnanswered);
        },
      ),
    );
  });
});
