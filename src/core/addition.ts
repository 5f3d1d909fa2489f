import type { z } from "zod";

/** The member of a schema in the OpenAPI document that marks what stands beside the documented API. */
export const additionMark = "x-tickmark-addition";

/**
 * Marks a member that the documented object does not have. With `values`, only these values of a documented member are
 * no documented ones.
 */
export const addition = <Schema extends z.ZodType>(schema: Schema, values?: readonly string[]): Schema =>
  schema.meta({ [additionMark]: values ?? true });
