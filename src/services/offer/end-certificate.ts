import type { Act } from "../../core/service-log/entry.ts";
import { certificateEnded } from "../../core/service-log/entries.ts";
import type { Instant } from "../../core/time.ts";
import { logged } from "../offer/logged-change.ts";
import { one, run, type Work } from "../../store/engine/database.ts";
import { lockOffer, expireCertificate } from "../../store/offer/offer-catalogue.ts";
import { unlockReport } from "../../store/offer/offer-writes.ts";

function* endCertificateOf(id: string, now: Instant): Work<boolean> {
  const held = yield* one(lockOffer, { id });
  if (held?.certified_report_id == null || (held.certificate_expires_at ?? 0) <= now) return false;
  yield* run(expireCertificate, { id, now });
  yield* run(unlockReport, { id: held.certified_report_id, now });
  return true;
}

/** Also releases the certified report. Returns false if no certificate is valid. */
export function* closeCertificate(id: string, now: Instant, act?: Act): Work<boolean> {
  return yield* logged(act, certificateEnded(id), endCertificateOf(id, now));
}
