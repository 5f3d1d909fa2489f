import { setUnverifiedEmail } from "../../store/access/account-entry.ts";
import { findByEmail } from "../../store/access/account-rows.ts";
import { type Database, one, run } from "../../store/engine/database.ts";
import { failureCode } from "../../core/failure-code.ts";

/** PostgreSQL's unique_violation. */
const isDuplicate = (error: unknown): boolean => failureCode(error) === "23505";

/** The new address is unverified. Returns false if another account has it. */
export async function changeAccountEmail(db: Database, id: string, email: string): Promise<boolean> {
  return db
    .write(function* () {
      const holder = yield* one(findByEmail, { email });
      if (holder && holder.id !== id) return false;
      yield* run(setUnverifiedEmail, { id, email });
      return true;
    })
    .catch((error: unknown) => {
      // Another account took the address between the two statements.
      if (isDuplicate(error)) return false;
      throw error;
    });
}
