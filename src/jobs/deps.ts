import type { Database } from "../store/engine/database.ts";
import type { Secrets } from "../app/access/secrets.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";

export interface JobDeps {
  readonly db: Database;
  readonly plans: Plans;
  readonly secrets: Secrets;
  readonly clock: () => Instant;
  /** Called for a server or step that failed; the others go on. */
  readonly warn: (job: string, error: unknown) => void;
  /** Aborted when the process is to end; a running job ends after its current step. */
  readonly signal: AbortSignal;
}
