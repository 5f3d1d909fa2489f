import { Unavailable } from "../../core/errors.ts";
import { onceAMinute, type OnceAMinute } from "../../core/once-a-minute.ts";

export type Levels<Level extends string> = Readonly<Record<Level, (fields: object, message: string) => void>>;

/**
 * A database failure fails every call and job, so that one entry a minute is written, with its stack and the
 * number of those left out. Every other defect is an entry, because its caller was given the request id.
 */
export function defectLog(log: Levels<"error">, lines: OnceAMinute = onceAMinute()): DefectLog {
  let damage: Unavailable | null = null;
  const failed: DefectLog["failed"] = (error, what, fields = {}) => {
    if (!(error instanceof Unavailable)) return log.error({ err: error, ...fields }, what);
    const { trouble, message } = error;
    if (trouble === "damaged") damage ??= error;
    const leftOut = lines.next(`database ${trouble}`);
    if (leftOut === null) return;
    const advice = trouble === "damaged" ? ` ${restoreAdvice}` : "";
    log.error({ err: error, ...fields, trouble, left_out: leftOut }, `${what}: ${message}${advice}`);
  };
  return { failed, damage: () => damage };
}

export interface DefectLog {
  readonly failed: (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
  /** The first sign of a damaged database; null: none. Damage stays until a backup is restored. */
  readonly damage: () => Unavailable | null;
}

/** One entry a minute for each reason why no mail goes out; calls `note` for each mail. */
export function mailTroubleLog(log: Levels<"warn">, note: (why: string) => void): (why: string) => void {
  const lines = onceAMinute();
  return (why) => {
    note(why);
    const leftOut = lines.next(why);
    if (leftOut !== null) log.warn({ left_out: leftOut }, `no mail goes out: ${why}`);
  };
}

const restoreAdvice =
  "Stop the service, and restore a backup: tickmark restore FILE --replace (it keeps the damaged database).";
