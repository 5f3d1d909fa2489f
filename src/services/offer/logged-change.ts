import type { Act, NewEntry } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import type { Step, Result } from "../../store/engine/database.ts";

/** Runs the work, and logs it if it changed something. */
export function* logged(
  act: Act | undefined,
  entry: NewEntry,
  work: Generator<Step, boolean, Result>,
): Generator<Step, boolean, Result> {
  const done = yield* work;
  if (done) yield* logAct(act, entry);
  return done;
}

export function* someRow(changed: Generator<Step, number, Result>): Generator<Step, boolean, Result> {
  return (yield* changed) > 0;
}
