import { z } from "zod";
import { Id } from "../id.ts";
import { toTimestamp, toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { InboxItem } from "./notice.ts";

/** An in-app message as its owner reads it. Names of others in it are visible and in one line. */
export const InboxNotice = z.object({
  id: Id,
  kind: z.enum(["alert", "resolved", "token_action", "report", "regression", "server_taken", "test"]),
  title: z.string(),
  lines: z.array(z.string()),
  tone: z.enum(["bad", "good", "info"]),
  /** The page that it is about: a path of the dashboard. */
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
