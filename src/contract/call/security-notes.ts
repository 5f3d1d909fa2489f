import { Refusal, type ErrorCode } from "../../core/errors.ts";
import type { SecurityEvent, SecurityKind } from "../../core/security-log/event.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";

type Noting = Pick<Context<Caller, never>, "security" | "caller" | "now">;

const who = (caller: Caller): Pick<SecurityEvent, "accountId" | "address" | "tokenId"> => ({
  accountId: caller.kind === "token" || caller.kind === "session" ? caller.account.id : null,
  address: caller.kind === "anonymous" || caller.kind === "session" ? caller.address : null,
  tokenId: caller.kind === "token" ? caller.token.id : null,
});

export function noteSecurity(
  { security, caller, now }: Noting,
  kind: SecurityKind,
  more: Partial<Omit<SecurityEvent, "kind" | "address">> = {},
): void {
  security.note({ ...who(caller), kind, detail: null, ...more }, now);
}

const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limited: "too many tries",
  unauthorized: "wrong",
  invalid_state: "out of place",
};

/** Runs `work`, and notes in the security log if it is refused. */
export async function notingRefusal<T>(
  context: Noting,
  kind: SecurityKind,
  more: Partial<Pick<SecurityEvent, "accountId">>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Refusal ? reasons[error.code] : undefined;
    if (reason !== undefined) noteSecurity(context, kind, { ...more, detail: reason });
    throw error;
  }
}
