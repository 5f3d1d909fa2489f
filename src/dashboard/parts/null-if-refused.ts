import { Refusal, type ErrorCode } from "../../core/errors.ts";

/** What a read is refused with where the plan does not show what it asks for. */
export const planRefusals = ["plan_required", "retention_exceeded"] as const satisfies readonly ErrorCode[];

/** The result of a call, or null if it was refused with one of these codes. */
export async function nullIfRefused<T>(codes: readonly ErrorCode[], call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return null;
    throw error;
  }
}
