import type { Again, SendFailed, SendFailure, SendResult } from "../core/notice/notifier.ts";
import { failureCode } from "../core/failure-code.ts";

export const sent: SendResult = { status: "sent" };

/** `what` is our own text. Of an error only the code is added: its message may quote the destination. */
export const failed = (
  reason: SendFailure,
  what: string,
  { again = "later", retryAfterMs = null, error }: Failure = {},
): SendFailed => {
  const code = codeOf(error);
  return {
    status: "failed",
    reason,
    detail: code === null ? what : `${what} (${code})`,
    again,
    retryAfterMs,
  };
};

interface Failure {
  /** `later` by default. */
  readonly again?: Again;
  readonly retryAfterMs?: number | null;
  readonly error?: unknown;
}

/** Codes have capitals, digits and underscores; other text could come from the other side. */
function codeOf(error: unknown): string | null {
  const code = failureCode(error);
  return code !== null && /^[A-Z0-9_]{1,64}$/.test(code) ? code : null;
}
