import { disputeSet } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { logAct } from "../service-log/log-act.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { disputeOffer } from "../../store/offer/offer-writes.ts";

/** Null `openedAt` ends the dispute. */
export function* setOfferDispute(offerId: string, openedAt: Instant | null, act?: Act): Work<void> {
  if ((yield* run(disputeOffer, { id: offerId, at: openedAt })) > 0)
    yield* logAct(act, disputeSet(offerId, openedAt !== null));
}
