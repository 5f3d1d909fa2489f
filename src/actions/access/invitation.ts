import type { OneTimeCode } from "../../core/access/one-time-code.ts";
import { toTimestamp } from "../../core/time.ts";

export const showInvitation = ({ id, email, createdAt, expiresAt }: OneTimeCode) => ({
  id,
  email,
  created_at: toTimestamp(createdAt),
  expires_at: toTimestamp(expiresAt),
});
