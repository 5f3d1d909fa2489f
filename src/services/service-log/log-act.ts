import type { SecurityKind } from "../../core/security-log/event.ts";
import type { Act, By, NewEntry } from "../../core/service-log/entry.ts";
import {
  insertLogEntry,
  countEntryAgain,
  type Done,
  lastEntryAlike,
} from "../../store/service-log/service-log.ts";
import { saveSecurityRow } from "../../store/security-log/security-log.ts";
import { newId } from "../../store/engine/ids.ts";
import { alikeMs, type Repeated } from "../../core/service-log/repeated.ts";
import { heldAccount } from "../../store/access/held-account.ts";
import { one, run, type Work } from "../../store/engine/database.ts";
import { serviceLogTable } from "../../store/service-log/service-log-table.ts";
import type { Instant } from "../../core/time.ts";

/** Admin acts that the account's owner also sees in the security log. */
const securityKinds: Readonly<Partial<Record<NewEntry["kind"], SecurityKind>>> = {
  plan_changed: "plan_changed",
  role_changed: "role_changed",
  email_verified: "email_verified",
  password_reset: "password_changed",
};

function* logSecurity({ kind, accountId, words }: NewEntry, now: number): Done {
  const known = securityKinds[kind];
  if (known === undefined) return;
  const about = { kind: known, accountId, address: null, tokenId: null, detail: words };
  yield* saveSecurityRow({ ...about, id: newId(now), at: now, lastAt: now, times: 1 });
}

function* writeEntry(by: By, { entry, at, lastAt, times }: Repeated): Done {
  const { kind, words } = entry;
  yield* run(insertLogEntry, {
    ...serviceLogTable.toRow({ id: newId(at), at, lastAt, times, kind, words }),
    done_by: by.who,
    actor_id: yield* heldAccount(by.who === "admin" ? by.accountId : null),
    account_id: yield* heldAccount(entry.accountId),
  });
}

/** Logs an act inside its own unit of work; does nothing if `act` or `entry` is missing. */
export function* logAct(act: Act | undefined, entry: NewEntry | null): Done {
  if (act === undefined || entry === null) return;
  yield* writeEntry(act.by, { entry, at: act.now, lastAt: act.now, times: 1 });
  yield* logSecurity(entry, act.now);
}

function* countEntry(repeated: Repeated): Done {
  const { entry, at, lastAt, times } = repeated;
  const { kind, words } = entry;
  const known = yield* one(lastEntryAlike, { kind, words, from: at - alikeMs, to: at });
  if (known) yield* run(countEntryAgain, { ...known, last: lastAt, times });
  else yield* writeEntry({ who: "service" }, repeated);
}

export function* recordInServiceLog(entry: NewEntry, now: Instant): Work<void> {
  return yield* logAct({ by: { who: "service" }, now }, entry);
}

/** Repeated entries within `alikeMs` of the first are counted as one. */
export function* countInServiceLog(repeated: readonly Repeated[]): Work<void> {
  for (const one of repeated) yield* countEntry(one);
}
