import type { Act, NewEntry } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import type { Work } from "../../store/engine/database.ts";

/** Runs the work, and logs it if it changed something. */
export function* logged(act: Act | undefined, entry: NewEntry, work: Work<boolean>): Work<boolean> {
  const done = yield* work;
  if (done) yield* logAct(act, entry);
  return done;
}

export function* someRow(changed: Work<number>): Work<boolean> {
  return (yield* changed) > 0;
}
