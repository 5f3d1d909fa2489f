import { secretReplaced, valuesUnreadable } from "../../core/service-log/entries.ts";
import type { SealCounts, SecretCheck } from "../../core/access/stored-seals.ts";
import { lessenEarlier, replaceSecretCheck } from "../../store/access/secret-check.ts";
import { replaceSealed, type Renewal } from "../../store/access/sealed-values.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { recordInServiceLog } from "../service-log/log-act.ts";

/** Stores resealed values, and lowers the count of values under the earlier secret. */
export function* resealSome(renewals: readonly Renewal[]): Work<void> {
  yield* run(lessenEarlier, { renewed: yield* replaceSealed(renewals) });
}

/** Stores the counts, and logs what changed for the operator. */
export function* settleSecret(before: SecretCheck, check: SecretCheck, counts: SealCounts): Work<void> {
  if (!(yield* replaceSecretCheck(before.sealed, check))) return;
  const { sealed, closed, countedAt } = check;
  if (sealed !== before.sealed) yield* recordInServiceLog(secretReplaced(counts), countedAt);
  if (closed > before.closed) yield* recordInServiceLog(valuesUnreadable(counts), countedAt);
}
