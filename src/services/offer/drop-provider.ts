import { providerDeleted } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logged, someRow } from "../offer/logged-change.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { deleteUnusedProvider } from "../../store/offer/offer-catalogue.ts";

/** Returns false if there is no such provider, or it still has offers. */
export function* dropProvider(id: string, act?: Act): Work<boolean> {
  return yield* logged(act, providerDeleted(id), someRow(run(deleteUnusedProvider, { id })));
}
