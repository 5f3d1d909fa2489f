import type { Refusal } from "../../core/errors.ts";
import type { Refused } from "./backend.ts";

/** A refusal of a call that nobody else was asked about. */
export const refusedBy = ({ status, body, retryAfterSeconds }: Refusal): Refused => ({
  ok: false,
  status,
  body,
  windows: null,
  retryAfterSeconds,
  counted: false,
  credential: false,
});
