import type { Instant } from "../time.ts";
import type { ResolutionReason } from "./alert.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { DeliveryRecord, Quiet } from "./delivery.ts";

export interface OpenAlert {
  readonly worstValue: number | null;
  /** Nobody is notified of an acknowledged alert. */
  readonly acknowledged: boolean;
  readonly delivery: DeliveryRecord;
}

export type AlertChange =
  | {
      readonly kind: "open";
      /** Start of the breach; the alert opens at `fact.now`. */
      readonly pendingSince: Instant;
      readonly value: number | null;
      readonly flapping: boolean;
      /** Null if the rule's channels are notified. */
      readonly quiet: Quiet | null;
    }
  | { readonly kind: "worsen"; readonly worstValue: number }
  /** Maintenance or a mute that held it back is over: its channels are notified now. */
  | { readonly kind: "tell" }
  | { readonly kind: "resolve"; readonly reason: ResolutionReason };

/** `progress` is the same object if it did not change. */
export interface Verdict {
  readonly progress: RuleProgress;
  readonly changes: readonly AlertChange[];
}
