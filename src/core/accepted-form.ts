import { z } from "zod";

/** What a field with a form of its own accepts, as the end of the sentence "… takes". */
export const acceptedForms = z.registry<{ readonly text: string }>();

/** Names the form of a schema for error messages; returns the schema. */
export function accepting<T extends z.ZodType>(schema: T, text: string): T {
  acceptedForms.add(schema, { text });
  return schema;
}
