import { Refusal, type ErrorCode } from "../../core/errors.ts";

/** The result of a call, or null if it was refused with one of these codes. */
export async function nullIfRefused<T>(codes: readonly ErrorCode[], call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return null;
    throw error;
  }
}
