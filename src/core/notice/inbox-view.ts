import { z } from "zod";
import { Id } from "../id.ts";
import { toTimestamp, toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { InboxItem } from "./notice.ts";

/** Names that others chose have visible characters only, and no line breaks. */
export const InboxNotice = z.object({
  id: Id,
  kind: z.enum(["alert", "resolved", "token_action", "report", "regression", "server_taken", "test"]),
  title: z.string(),
  lines: z.array(z.string()),
  tone: z.enum(["bad", "good", "info"]),
  /** A path of the dashboard; null if there is no page. */
  link: z.string().nullable(),
  server_id: Id.nullable(),
  alert_id: Id.nullable(),
  created_at: Timestamp,
  read_at: Timestamp.nullable(),
});
export type InboxNotice = z.infer<typeof InboxNotice>;

export const toInboxNotice = ({ message, ...item }: InboxItem): InboxNotice => ({
  id: item.id,
  kind: item.kind,
  title: message.title,
  lines: [...message.lines],
  tone: message.tone,
  link: message.link,
  server_id: item.serverId,
  alert_id: item.alertId,
  created_at: toTimestamp(item.createdAt),
  read_at: toTimestampOrNull(item.readAt),
});
