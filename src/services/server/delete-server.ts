import { untilDone } from "../../store/engine/batches.ts";
import { all, one, run, type Database, type Result, type Step } from "../../store/engine/database.ts";
import { onDeleteServer } from "../../store/server/deletion-rules.ts";
import { dueServers, lockDueServer, serverPortions } from "../../store/server/deletion.ts";

/** Deletes a server and what is left of its data; nothing when it is linked, or still kept. */
export function* removeServer(id: string, now: number): Generator<Step, number, Result> {
  if ((yield* one(lockDueServer, { id, now })) === null) return 0;
  let deleted = 0;
  for (const statement of onDeleteServer) deleted += yield* run(statement, { id, now });
  return deleted;
}

/** Deletes a server, its large tables in portions first: other writes get their turn between two portions. */
export async function* removeInPortions(db: Database, id: string, now: number): AsyncGenerator<number> {
  if ((await db.read(() => one(lockDueServer, { id, now }))) === null) return;
  for (const [deletion, most] of serverPortions)
    yield* untilDone(() => db.writeRelaxed(() => run(deletion, { server: id })), most);
  yield await db.write(() => removeServer(id, now));
}

const serversAtATime = 50;

/** Deletes the servers whose data is no longer kept. */
export async function* removeDueServers(db: Database, now: number): AsyncGenerator<number> {
  for (;;) {
    const rows = await db.read(() => all(dueServers, { now, limit: serversAtATime }));
    for (const { id } of rows) yield* removeInPortions(db, id, now);
    if (rows.length < serversAtATime) return;
  }
}
