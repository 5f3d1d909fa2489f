import type { ClientBase } from "pg";
import { unreadResult, type Result, type Work } from "./database.ts";
import { firstOfSeveral, type StartedRead } from "./merged-reads.ts";
import { execute } from "./postgres-statements.ts";

/** Runs a unit on this connection, inside the transaction that its caller began, if any. */
export async function finish<T>(client: ClientBase, work: () => Work<T>): Promise<T> {
  const steps = work();
  const unread: Promise<Result>[] = [];
  try {
    let step = steps.next();
    while (!step.done) {
      const answer = execute(client, step.value);
      if (step.value.unread === true) {
        // `Promise.all` below throws the failure; without this handler Node reports it as unhandled.
        answer.catch(() => {});
        unread.push(answer);
        step = steps.next(unreadResult);
      } else step = steps.next(await answer);
    }
    return step.value;
  } finally {
    // A statement also fails because an earlier one did; this throws the earlier failure, the cause.
    await Promise.all(unread);
  }
}

/**
 * Nearly every reading unit is one statement, which needs no transaction. A unit that has a second statement
 * runs again in a transaction, so that all see one state; units with the same first statement then start with
 * it. This transaction takes no locks and never needs a retry.
 */
export async function readUnit<T>(
  client: ClientBase,
  { step, steps }: StartedRead<T>,
  work: () => Work<T>,
): Promise<T> {
  if (!firstOfSeveral.has(step.query)) {
    const second = steps.next(await execute(client, step));
    if (second.done) return second.value;
    firstOfSeveral.add(step.query);
  }
  return readInTransaction(client, work);
}

/** Runs a reading unit in a transaction of its own, in which all statements see one state. */
export async function readInTransaction<T>(client: ClientBase, work: () => Work<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await finish(client, work);
  } finally {
    // Not awaited: a read has nothing to lose, and later statements on this connection queue behind it.
    client.query("COMMIT").catch(() => {});
  }
}
