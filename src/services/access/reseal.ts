import { secretReplaced, valuesUnreadable } from "../../core/service-log/entries.ts";
import type { SealCounts, SecretCheck } from "../../core/access/stored-seals.ts";
import { lessenEarlier, replaceSecretCheck } from "../../store/access/secret-check.ts";
import { replaceSealed, type Renewal } from "../../store/access/sealed-values.ts";
import type { Work } from "../../store/engine/database.ts";
import { recordInServiceLog } from "../service-log/log-act.ts";

/** Puts values that were sealed anew in their places, and counts those that are left. */
export function* resealSome(renewals: readonly Renewal[]): Work<void> {
  yield* lessenEarlier(yield* replaceSealed(renewals));
}

/** Writes down what a count found, and in the log of the service what changed for the operator. */
export function* settleSecret(before: SecretCheck, check: SecretCheck, counts: SealCounts): Work<void> {
  if (!(yield* replaceSecretCheck(before.sealed, check))) return;
  const { sealed, closed, countedAt } = check;
  if (sealed !== before.sealed) yield* recordInServiceLog(secretReplaced(counts), countedAt);
  if (closed > before.closed) yield* recordInServiceLog(valuesUnreadable(counts), countedAt);
}
