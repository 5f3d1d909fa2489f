import { z } from "zod";
import type { OneTimeCode } from "../../../core/access/one-time-code.ts";
import { Id } from "../../../core/id.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** A link that lets one person make an account. */
export const Invitation = z.object({
  id: Id,
  /** Where it was mailed to; null when it is handed over in another way. */
  email: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp,
});

export const showInvitation = ({
  id,
  email,
  createdAt,
  expiresAt,
}: OneTimeCode): z.input<typeof Invitation> => ({
  id,
  email,
  created_at: toTimestamp(createdAt),
  expires_at: toTimestamp(expiresAt),
});

export const exampleInvitation: z.input<typeof Invitation> = {
  id: "019a9f5e-1d00-7000-8000-000000000080",
  email: "friend@example.org",
  created_at: "2026-11-20T07:00:00.000Z",
  expires_at: "2026-11-27T07:00:00.000Z",
};
