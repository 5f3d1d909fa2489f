import { refusedSecretWords, sealCounter, type SealState } from "../../core/access/stored-seals.ts";
import { sealedColumns, sealedIn, type SealedTable } from "../../store/access/sealed-values.ts";
import type { Inspection } from "../../store/transfer/format.ts";
import { isWrong, SecretRefused, type SecretSource } from "./check-secret.ts";
import { storedSeals } from "./stored-seals.ts";

const isSealed = (table: string): table is SealedTable => Object.hasOwn(sealedColumns, table);

const whenLost =
  "Nothing was restored. If it is lost, --accept-new-secret restores all the same, and tickmark serve --accept-new-secret starts without what it sealed.";

/** Refuses rows sealed with another secret. Null if there is no secret yet: then the start checks. */
export function secretInspection(source: Pick<SecretSource, "place" | "present">): Inspection | null {
  const present = source.present();
  if (present.length === 0) return null;
  const seals = storedSeals(present);
  const counter = sealCounter();
  let known: SealState | null = null;
  let before: { readonly earlier: number; readonly closed: number } | null = null;
  return {
    row: (table, row) => {
      if (table === "secret_check") {
        known = seals.stateOfKnown(String(row["sealed"]));
        before = { earlier: Number(row["earlier"]), closed: Number(row["closed"]) };
      } else if (isSealed(table))
        for (const value of sealedIn(table, String(row["account_id"]), row))
          counter.add(value.kind, seals.stateOf(value));
    },
    end: () => {
      if (isWrong(counter.counts, known, before))
        throw new SecretRefused(refusedSecretWords(source.place, true, counter.counts, whenLost));
    },
  };
}
