import type { Database, DatabaseReader, LateReads } from "../database.ts";
import type { ReadReplica } from "./replica.ts";

/** How long an account reads its own changes from the primary: longer than the replica may be behind, ms. */
const ownChangesMs = 3000;

/** Most accounts that are remembered for having changed something. */
const mostAccounts = 10_000;

/** Reads from the replica, and from the primary whenever the replica does not answer. */
export function lateReads(primary: Database, replica: ReadReplica | null): LateReads {
  if (replica === null) return { readerFor: () => primary, noteChange: () => {} };
  const reader: DatabaseReader = {
    read: async (work, ...values) => {
      const found = await replica.tryRead(work, ...values);
      return found === null ? primary.read(work, ...values) : found.value;
    },
  };
  const changedAt = new Map<string, number>();
  return {
    readerFor: (accountId) => {
      const at = accountId === null ? undefined : changedAt.get(accountId);
      const isRecent = at !== undefined && performance.now() - at < ownChangesMs;
      return isRecent || !replica.isUsed() ? primary : reader;
    },
    noteChange: (accountId) => {
      changedAt.delete(accountId);
      changedAt.set(accountId, performance.now());
      if (changedAt.size > mostAccounts) changedAt.delete(changedAt.keys().next().value as string);
    },
  };
}
