import { z } from "zod";
import { fullRate } from "./metric/target-rate.ts";

/** A key that a plugin leaves out is a value that it does not know. */
export const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null);

/** Real servers report 20.1: up to 25 is measurement noise and kept as 20, more is a mistake. */
export const ReportedTps = z
  .number()
  .min(0)
  .max(25)
  .transform((tps) => Math.min(tps, fullRate));
