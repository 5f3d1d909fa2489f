import type { Answer } from "../../support/service.ts";

/** The rate headers of an answer; NaN where one is missing. */
export interface ToldWindow {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly window: string;
}

export const windowsOf = ({ headers }: Answer): ToldWindow => ({
  limit: Number(headers["x-ratelimit-limit"]),
  remaining: Number(headers["x-ratelimit-remaining"]),
  reset: Number(headers["x-ratelimit-reset"]),
  window: String(headers["x-ratelimit-window"]),
});
