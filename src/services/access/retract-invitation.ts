import { invitationWithdrawn } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { logAct } from "../service-log/log-act.ts";
import { deleteInvitation } from "../../store/access/one-time-codes.ts";
import { type Work, run } from "../../store/engine/database.ts";

export function* retractInvitation(id: string, now: Instant, act?: Act): Work<boolean> {
  const withdrawn = (yield* run(deleteInvitation, { id, now })) > 0;
  if (withdrawn) yield* logAct(act, invitationWithdrawn(id));
  return withdrawn;
}
