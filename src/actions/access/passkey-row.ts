import type { Passkey } from "../../core/access/passkey.ts";
import { toTimestamp, toTimestampOrNull } from "../../core/time.ts";

export const toPasskeyRow = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  created_at: toTimestamp(createdAt),
  last_used_at: toTimestampOrNull(lastUsedAt),
});
