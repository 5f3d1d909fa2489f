import { type Work, one, run } from "../../store/engine/database.ts";
import { lockOfferById, setOfferOfServer } from "../../store/offer/offer-writes.ts";

/** Null `offer`: none. Returns false if there is no such offer. */
export function* saveChosenOffer(server: string, offer: string | null): Work<boolean> {
  if (offer !== null && (yield* one(lockOfferById, { id: offer })) === null) return false;
  yield* run(setOfferOfServer, { server, offer });
  return true;
}
