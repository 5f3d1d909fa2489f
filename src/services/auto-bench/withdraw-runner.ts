import { runnerRevoked } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { logAct } from "../service-log/log-act.ts";
import { setRunnerRevoked } from "../../store/auto-bench/runners.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Returns false if there is no such runner, or it was revoked before. */
export function* withdrawRunner(id: string, now: Instant, act?: Act): Work<boolean> {
  const revoked = (yield* run(setRunnerRevoked, { id, now })) === 1;
  if (revoked) yield* logAct(act, runnerRevoked(id));
  return revoked;
}
