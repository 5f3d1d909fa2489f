import type { Instant } from "../time.ts";
import type { ResolutionReason } from "./alert.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { DeliveryRecord, Quiet } from "./delivery.ts";

/** The open alert of a rule, as far as its evaluation asks. */
export interface OpenAlert {
  readonly worstValue: number | null;
  /** Its owner knows of it: nobody is notified any more. */
  readonly acknowledged: boolean;
  readonly delivery: DeliveryRecord;
}

/** What happens to a rule's alert because of a fact. */
export type AlertChange =
  | {
      readonly kind: "open";
      /** The first breaching moment; opening is `fact.now`. */
      readonly pendingSince: Instant;
      readonly value: number | null;
      readonly flapping: boolean;
      /** Why nobody is notified; null when the rule's channels are. */
      readonly quiet: Quiet | null;
    }
  | { readonly kind: "worsen"; readonly worstValue: number }
  /** It was kept back by maintenance or a mute that is over: its channels are notified now. */
  | { readonly kind: "tell" }
  | { readonly kind: "resolve"; readonly reason: ResolutionReason };

/** What a fact makes of a rule; `progress` is the very same object when nothing of it changed. */
export interface Verdict {
  readonly progress: RuleProgress;
  readonly changes: readonly AlertChange[];
}
