import { z } from "zod";

/** The end of the error message "FIELD takes …", by schema. */
export const acceptedForms = z.registry<{ readonly text: string }>();

/** Returns the schema. */
export function accepting<T extends z.ZodType>(schema: T, text: string): T {
  acceptedForms.add(schema, { text });
  return schema;
}
