import type { Again, SendResult } from "../core/notice/notifier.ts";
import type { Instant } from "../core/time.ts";
import { aborted, pinnedClient } from "./pinned-client.ts";
import { UnreachableError, type Reach } from "./reach.ts";
import { failed, sent } from "./send-result.ts";

/** From looking up the name to the status of the answer, ms. */
const exchangeMs = 3_000;

export interface WebhookPost {
  readonly url: URL;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts once to a webhook that a user typed in, and only to checked addresses. */
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
  /** The header as received. */
  readonly retryAfter: string | null;
}

/** Statuses that ask for a later attempt. */
const passing = new Set([408, 425, 429]);

function resultOf({ status, retryAfter }: Answer): SendResult {
  if (status >= 200 && status < 300) return sent;
  return failed(status === 429 ? "rate_limited" : "provider_error", `answered ${status}`, {
    again: status >= 400 && status < 500 && !passing.has(status) ? "never" : "later",
    retryAfterMs: waitOf(retryAfter, Date.now()),
  });
}

/** Seconds, which some services send with a fraction, or a date; null for anything else. */
function waitOf(retryAfter: string | null, now: Instant): number | null {
  if (retryAfter === null) return null;
  const wait = /^\d{1,9}(\.\d{1,9})?$/.test(retryAfter)
    ? Math.ceil(Number(retryAfter) * 1000)
    : Date.parse(retryAfter) - now;
  return Number.isFinite(wait) && wait > 0 ? wait : null;
}

/** Does not read the body, which may be endless. `connected` is called when the message is sent. */
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
