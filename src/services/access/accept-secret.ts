import type { SecretCheck } from "../../core/access/stored-seals.ts";
import type { NewEntry } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { putSecretCheck } from "../../store/access/secret-check.ts";
import type { Work } from "../../store/engine/database.ts";
import { recordInServiceLog } from "../service-log/log-act.ts";

export function* acceptSecret(check: SecretCheck, entry: NewEntry, now: Instant): Work<void> {
  yield* putSecretCheck(check);
  yield* recordInServiceLog(entry, now);
}
