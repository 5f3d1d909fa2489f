import { Refusal, type ErrorCode } from "../../core/errors.ts";

/** What was asked for, or null where it was refused for one of these reasons: its part of the page says so itself. */
export async function nullIfRefused<T>(codes: readonly ErrorCode[], call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return null;
    throw error;
  }
}
