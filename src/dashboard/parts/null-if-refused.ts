import { Refusal, type ErrorCode } from "../../core/errors.ts";

/** Refusals of a read that the plan does not include. */
export const planRefusals = ["plan_required", "retention_exceeded"] as const satisfies readonly ErrorCode[];

/** Null if the call was refused with one of these codes. */
export async function nullIfRefused<T>(codes: readonly ErrorCode[], call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return null;
    throw error;
  }
}
