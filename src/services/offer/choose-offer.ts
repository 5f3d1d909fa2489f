import { type Step, type Result, one, run } from "../../store/engine/database.ts";
import { lockOfferById, setOfferOfServer } from "../../store/offer/offer-writes.ts";

/** Notes the offer that a server runs on, null for none; false when there is no such offer. */
export function* saveChosenOffer(server: string, offer: string | null): Generator<Step, boolean, Result> {
  if (offer !== null && (yield* one(lockOfferById, { id: offer })) === null) return false;
  yield* run(setOfferOfServer, { server, offer });
  return true;
}
