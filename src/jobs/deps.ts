import type { Database } from "../store/engine/database.ts";
import type { Secrets } from "../contract/call/context.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";

/** What the jobs of the service work with. */
export interface JobDeps {
  readonly db: Database;
  readonly plans: Plans;
  readonly secrets: Secrets;
  readonly clock: () => Instant;
  /** Told of one server or step that failed; the rest goes on. */
  readonly warn: (job: string, error: unknown) => void;
  /** Aborted when the process is to end: what runs ends with the step it is at. */
  readonly signal: AbortSignal;
}
