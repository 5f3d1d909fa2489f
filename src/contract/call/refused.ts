import type { Refusal } from "../../core/errors.ts";
import type { Refused } from "./backend.ts";

/** A refusal without windows that was counted nowhere. */
export const refusedBy = ({ status, body, retryAfterSeconds }: Refusal): Refused => ({
  ok: false,
  status,
  body,
  windows: null,
  retryAfterSeconds,
  counted: false,
  credential: false,
});
