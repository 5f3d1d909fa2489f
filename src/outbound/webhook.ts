import type { Again, SendResult } from "../core/notice/notifier.ts";
import type { Instant } from "../core/time.ts";
import { aborted, pinnedClient } from "./pinned-client.ts";
import { UnreachableError, type Reach } from "./reach.ts";
import { failed, sent } from "./send-result.ts";

/** The time from the lookup of the name to the status of the answer, ms. */
const exchangeMs = 3_000;

/** What a webhook is sent: JSON, and headers beside its type. */
export interface WebhookPost {
  readonly url: URL;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts to a webhook that a user typed in: once, to checked addresses only, and nowhere else. */
export async function postToWebhook(request: WebhookPost, reach: Reach): Promise<SendResult> {
  const signal = AbortSignal.timeout(exchangeMs);
  let again: Again = "later";
  const connected = (): void => {
    again = "unknown";
  };
  try {
    return resultOf(await exchange(request, reach, signal, connected));
  } catch (error) {
    if (signal.aborted) return failed("timeout", `no answer within ${exchangeMs} ms`, { again });
    return error instanceof UnreachableError
      ? failed("provider_error", error.message)
      : failed("provider_error", "no connection", { again, error });
  }
}

interface Answer {
  readonly status: number;
  /** As the answer has it. */
  readonly retryAfter: string | null;
}

/** Refusals that say "later": 408, 425, 429. */
const passing = new Set([408, 425, 429]);

function resultOf({ status, retryAfter }: Answer): SendResult {
  if (status >= 200 && status < 300) return sent;
  return failed(status === 429 ? "rate_limited" : "provider_error", `answered ${status}`, {
    again: status >= 400 && status < 500 && !passing.has(status) ? "never" : "later",
    retryAfterMs: waitOf(retryAfter, Date.now()),
  });
}

/** `Retry-After` says seconds, which some services break into parts, or a date; null for anything else. */
function waitOf(retryAfter: string | null, now: Instant): number | null {
  if (retryAfter === null) return null;
  const wait = /^\d{1,9}(\.\d{1,9})?$/.test(retryAfter)
    ? Math.ceil(Number(retryAfter) * 1000)
    : Date.parse(retryAfter) - now;
  return Number.isFinite(wait) && wait > 0 ? wait : null;
}

/**
 * The head of the answer. Its body is not read: it may be endless, and is not shown. `connected` is called
 * when the message goes out.
 */
async function exchange(
  { url, body, headers }: WebhookPost,
  reach: Reach,
  signal: AbortSignal,
  connected: () => void,
): Promise<Answer> {
  const client = await pinnedClient(url, reach, signal, exchangeMs);
  client.on("connect", connected);
  try {
    const answered = client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: { "content-type": "application/json", "user-agent": "Tickmark", ...headers },
      body,
      signal,
    });
    const answer = await Promise.race([answered, aborted(signal)]);
    answer.body.on("error", () => {}).destroy();
    const retryAfter = answer.headers["retry-after"];
    return {
      status: answer.statusCode,
      retryAfter: typeof retryAfter === "string" ? retryAfter : null,
    };
  } finally {
    await client.destroy();
  }
}
