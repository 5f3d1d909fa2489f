import { z } from "zod";

const measure = z.number().nullable();

/** Over every stored point of a period; `count` is of measured values. */
export const FieldSummary = z.object({
  min: measure,
  max: measure,
  avg: measure,
  p5: measure,
  p95: measure,
  count: z.int(),
});
export type FieldSummary = z.infer<typeof FieldSummary>;
