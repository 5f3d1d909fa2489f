import type { Outcome } from "../contract/call/call.ts";
import { jsonInPortions, longListOf } from "../contract/endpoint/long-list.ts";
import type { RateWindows } from "../core/access/rate-window.ts";
import type { Refusal } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";
import { rateHeaders } from "./headers.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

export const jsonType = "application/json; charset=utf-8";

export async function writtenAnswerOf(outcome: Outcome, requestId: string): Promise<Answer> {
  const list = outcome.ok ? longListOf(outcome.value) : null;
  if (!outcome.ok || list === null) return answerOf(outcome, requestId);
  const headers = commonHeaders(requestId, outcome.windows, outcome.now);
  return { status: outcome.status, headers, body: await jsonInPortions(outcome.value, list) };
}

function answerOf(outcome: Outcome, requestId: string): Answer {
  const headers = commonHeaders(requestId, outcome.windows, outcome.now);
  if (outcome.ok && outcome.status === 204) {
    delete headers["content-type"];
    return { status: 204, headers, body: "" };
  }
  if (outcome.ok) return { status: outcome.status, headers, body: JSON.stringify(outcome.value) };
  return refusalAnswer(outcome.refusal, headers);
}

export function refusalAnswer(refusal: Refusal, headers: Record<string, string>): Answer {
  if (refusal.status === 401) {
    headers["www-authenticate"] =
      refusal.code === "unauthorized"
        ? "Bearer"
        : `Bearer error="invalid_token", error_description="${refusal.code}"`;
  }
  if (refusal.retryAfterSeconds !== null) headers["retry-after"] = String(refusal.retryAfterSeconds);
  return { status: refusal.status, headers, body: JSON.stringify(refusal.body) };
}

export function commonHeaders(
  requestId: string,
  windows: RateWindows | null,
  now: Instant,
): Record<string, string> {
  const headers: Record<string, string> = windows ? rateHeaders(windows, now) : {};
  headers["content-type"] = jsonType;
  headers["cache-control"] = "no-store";
  headers["x-request-id"] = requestId;
  return headers;
}
