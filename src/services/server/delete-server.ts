import type { Instant } from "../../core/time.ts";
import { untilDone } from "../../store/engine/batches.ts";
import { type Work, all, one, run, type Database } from "../../store/engine/database.ts";
import { onDeleteServer } from "../../store/server/deletion-rules.ts";
import { dueServers, lockDueServer, serverPortions } from "../../store/server/deletion.ts";
import { unlinkForDeletion } from "./unlink-from-account.ts";

/** Deletes nothing if the server is linked or its data is still kept. Returns the number of rows. */
export function* deleteDueServer(id: string, now: number): Work<number> {
  if ((yield* one(lockDueServer, { id, now })) === null) return 0;
  let deleted = 0;
  for (const statement of onDeleteServer) deleted += yield* run(statement, { id, now });
  return deleted;
}

/** Deletes large tables in portions first, so that other writes can run between. */
export async function* deleteInPortions(db: Database, id: string, now: number): AsyncGenerator<number> {
  if ((await db.read(() => one(lockDueServer, { id, now }))) === null) return;
  for (const [deletion, most] of serverPortions)
    yield* untilDone(() => db.writeRelaxed(() => run(deletion, { server: id })), most);
  yield await db.write(() => deleteDueServer(id, now));
}

const serversAtATime = 50;

export async function* deleteDueServers(db: Database, now: number): AsyncGenerator<number> {
  for (;;) {
    const rows = await db.read(() => all(dueServers, { now, limit: serversAtATime }));
    for (const { id } of rows) yield* deleteInPortions(db, id, now);
    if (rows.length < serversAtATime) return;
  }
}

/** The server's reports stay with their author. */
export async function deleteServerOfAccount(
  db: Database,
  serverId: string,
  accountId: string,
  now: Instant,
): Promise<void> {
  await db.write(unlinkForDeletion, accountId, serverId, now);
  for await (const _ of deleteInPortions(db, serverId, now));
}
