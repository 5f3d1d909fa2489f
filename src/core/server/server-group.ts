import { z } from "zod";
import { Id } from "../id.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const groupColors = [
  "gray",
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "blue",
  "indigo",
  "purple",
  "pink",
] as const;
export const GroupColor = z.enum(groupColors);
export type GroupColor = z.infer<typeof GroupColor>;

/** Groups of an account (the specification's limit). */
export const maxGroups = 20;
export const maxSortOrder = 9999;

export const ServerGroup = z.object({
  id: Id,
  name: callerName(64),
  color: GroupColor.nullable(),
  sort_order: z.int(),
  server_count: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ServerGroup = z.infer<typeof ServerGroup>;

export interface GroupRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly color: GroupColor | null;
  readonly sortOrder: number;
  readonly serverCount: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export const toServerGroup = (group: GroupRecord): ServerGroup => ({
  id: group.id,
  name: group.name,
  color: group.color,
  sort_order: group.sortOrder,
  server_count: group.serverCount,
  created_at: toTimestamp(group.createdAt),
  updated_at: toTimestamp(group.updatedAt),
});

/** Null for an unknown colour, which is no mistake. */
export const colorOrNone = (name: string | null): GroupColor | null =>
  groupColors.find((color) => color === name) ?? null;
