import { z } from "zod";

/** A key a plugin leaves out is a value it does not know: read as null. */
export const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null);

/** The game's target rate, ticks a second. */
const targetTps = 20;

/** Real servers answer 20.1 ticks a second; up to 25 is measurement noise and kept as 20, beyond it a mistake. */
export const ReportedTps = z
  .number()
  .min(0)
  .max(25)
  .transform((tps) => Math.min(tps, targetTps));
