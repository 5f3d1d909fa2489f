import { z } from "zod";

const schemas = z.registry<{ readonly isMarked: true }>();

/** Marks a field's schema: null says the same of it as leaving it out. Returns the schema. */
export function nullAsAbsent<T extends z.ZodType>(schema: T): T {
  schemas.add(schema, { isMarked: true });
  return schema;
}

/** Whether null is a value of a field that leaving it out is not. */
export const hasOwnNull = (schema: z.ZodType): boolean =>
  !schemas.has(schema) && schema.safeParse(null).success;
