import { certificateMs } from "../../core/offer/offer.ts";
import type { Certified } from "../../core/offer/records.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { offerCertified } from "../../core/service-log/entries.ts";
import type { Instant } from "../../core/time.ts";
import { logAct } from "../service-log/log-act.ts";
import { one, run, type Work } from "../../store/engine/database.ts";
import {
  lockOfferById,
  lockUnexpiredReport,
  setCertificate,
  certifyReport,
  unlockReport,
} from "../../store/offer/offer-writes.ts";

function* certifyFor(offer: string, report: string, now: Instant): Work<Certified> {
  const held = yield* one(lockOfferById, { id: offer });
  if (!held) return "no_offer";
  const found = yield* one(lockUnexpiredReport, { id: report, now });
  if (!found) return "no_report";
  if (found.visibility === "private") return "private_report";
  const until = now + certificateMs;
  yield* run(setCertificate, { id: offer, report, now, until });
  yield* run(certifyReport, { id: report, now, until });
  const earlier = held.certified_report_id;
  if (earlier !== null && earlier !== report) yield* run(unlockReport, { id: earlier, now });
  return "certified";
}

/**
 * Certifies a public or unlisted report for a year: it no longer expires, and cannot be deleted while
 * certified. The offer's earlier report is released.
 */
export function* certify(offerId: string, reportId: string, now: Instant, act?: Act): Work<Certified> {
  const certified = yield* certifyFor(offerId, reportId, now);
  yield* logAct(act, offerCertified(offerId, reportId, certified));
  return certified;
}
