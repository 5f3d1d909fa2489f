import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { Id } from "../id.ts";
import { dayMs, toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const linkDays = [1, 7, 30] as const;

/** Links of an account at once; expired ones do not count. */
export const mostProfileLinks = 50;

/** The form of a secret: 24 random bytes as base64url. */
const secretForm = /^[\w-]{32}$/;

export const isLinkSecret = (text: string): boolean => secretForm.test(text);

export const LinkDays = accepting(
  z.int().refine((days) => (linkDays as readonly number[]).includes(days)),
  `${linkDays.join(", ")} (days)`,
);

/** The secret is no part of it: it is shown once. */
export const ProfileLink = z.object({ id: Id, created_at: Timestamp, expires_at: Timestamp });

export interface ProfileLinkRecord {
  readonly id: string;
  readonly accountId: string;
  readonly summaryId: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const toProfileLink = ({
  id,
  createdAt,
  expiresAt,
}: ProfileLinkRecord): z.input<typeof ProfileLink> => ({
  id,
  created_at: toTimestamp(createdAt),
  expires_at: toTimestamp(expiresAt),
});

export const expiryOf = (now: Instant, days: number): Instant => now + days * dayMs;
