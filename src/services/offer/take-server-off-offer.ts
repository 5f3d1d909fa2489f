import { serverTakenOff } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logged, someRow } from "../offer/logged-change.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { leaveServer } from "../../store/offer/offer-catalogue.ts";

/** Undoes the owner's choice; false if the server is not on that offer. */
export function* takeServerOffOffer(id: string, server: string, act?: Act): Work<boolean> {
  return yield* logged(act, serverTakenOff(id), someRow(run(leaveServer, { id, server })));
}
