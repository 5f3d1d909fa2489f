/** A clock that stands still until it is moved. */
export interface HandClock {
  readonly now: () => number;
  advance(ms: number): void;
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export function handClock(start = Date.parse("2026-11-20T08:00:00.250Z")): HandClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
