import { z } from "zod";
import type { PasskeyRequest } from "../../../contract/access/passkeys.ts";
import type { Passkey } from "../../../core/access/passkey.ts";
import { Id } from "../../../core/id.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** A passkey as its person sees it. */
export const PasskeyRow = z.object({
  id: Id,
  name: thirdPartyText(80),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});

export const toPasskeyRow = ({ id, name, createdAt, lastUsedAt }: Passkey): z.input<typeof PasskeyRow> => ({
  id,
  name,
  created_at: toTimestamp(createdAt),
  last_used_at: toTimestampOrNull(lastUsedAt),
});

export const examplePasskeyRequest: z.input<typeof PasskeyRequest> = {
  sealed: "sealed by this call",
  origin: "https://tickmark.example",
  options: {
    rpId: "tickmark.example",
    challenge: "GQ0SLm3vW9dQbTqvBHnZkQ0lxq7Y0mCk",
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: [],
  },
};
