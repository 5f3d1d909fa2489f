import { z } from "zod";

/** By schema of a name: what to say of a name that is none of it; null if there is nothing to say. */
export const nameHints = z.registry<{ readonly hintFor: (name: string) => string | null }>();

/** Returns the schema. `hintFor` gets only names of letters, digits and `_`, and answers one sentence. */
export function hinting<T extends z.ZodType>(schema: T, hintFor: (name: string) => string | null): T {
  nameHints.add(schema, { hintFor });
  return schema;
}
