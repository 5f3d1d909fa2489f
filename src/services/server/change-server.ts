import type { ServerChanges } from "../../core/server/records.ts";
import type { TraceOf } from "../../core/event/trace.ts";
import type { ServerRecord } from "../../core/server/server.ts";
import { notFound } from "../../core/errors.ts";
import { type Work, one } from "../../store/engine/database.ts";
import { lockGroup } from "../../store/server/groups.ts";
import { recordTrace } from "../event/record-trace.ts";
import { lockLinkedServer, saveServer } from "../../store/server/servers.ts";

const changeable = [
  "name",
  "isPublic",
  "showAddressOnReport",
  "notifyOnReport",
  "address",
  "port",
  "groupId",
] as const;

/** Unchanged values are not written. Throws notFound if the new group does not exist. */
export function* changeServer(
  id: string,
  changes: ServerChanges,
  traceOf?: TraceOf<ServerRecord>,
): Work<void> {
  const before = yield* lockLinkedServer(id);
  if (!before) return;
  const after = { ...before, ...changes };
  if (changeable.every((field) => after[field] === before[field])) return;
  const { groupId } = after;
  if (groupId !== null && groupId !== before.groupId && (yield* one(lockGroup, { id: groupId })) === null)
    throw notFound();
  yield* saveServer(after);
  yield* recordTrace(traceOf?.(before, after) ?? null);
}
