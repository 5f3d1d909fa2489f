import type { Act } from "../../core/service-log/entry.ts";
import { offerDeleted } from "../../core/service-log/entries.ts";
import type { Instant } from "../../core/time.ts";
import { logged } from "../offer/logged-change.ts";
import { one, run, type Work } from "../../store/engine/database.ts";
import { lockOffer, leaveServers, leaveTargets, deleteOffer } from "../../store/offer/offer-catalogue.ts";
import { unlockReport } from "../../store/offer/offer-writes.ts";

export function* withdraw(id: string, now: Instant): Work<boolean> {
  const held = yield* one(lockOffer, { id });
  if (!held) return false;
  yield* run(leaveServers, { id });
  yield* run(leaveTargets, { id });
  yield* run(deleteOffer, { id });
  if (held.certified_report_id !== null) yield* run(unlockReport, { id: held.certified_report_id, now });
  return true;
}

/** Also detaches servers and measurements, and releases the certified report. False if there is none. */
export function* retractOffer(id: string, now: Instant, act?: Act): Work<boolean> {
  return yield* logged(act, offerDeleted(id), withdraw(id, now));
}
