import { z } from "zod";
import type { Action } from "../../src/contract/endpoint/action.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { freeText } from "./everywhere.ts";

/** Actions of these verbs change nothing. */
const reads = /\.(?:get|list|find|check|request)(?:_|$)/;

/** Which of these calls change something by an input with free text in it, by their ids. */
export function callsTakingText(endpoints: readonly Endpoint[], actions: readonly Action[]): string[] {
  const writes = endpoints.filter(({ method }) => method !== "GET");
  const changes = actions.filter(({ id }) => !reads.test(id));
  return [
    ...writes.map(({ id, input, fields }) => ({
      id,
      input,
      ids: [...fields.values()].filter(({ resource, place }) => resource || place === "path"),
    })),
    ...changes.map(({ id, input, idFields: ids }) => ({ id, input, ids })),
  ]
    .filter(({ input, ids }) => {
      const names = new Set(ids.map(({ name }) => name));
      return Object.entries(input.shape).some(
        ([name, schema]) => !names.has(name) && !name.endsWith("_id") && takesText(schema),
      );
    })
    .map(({ id }) => id);
}

/** Whether free text may stand somewhere in a value of this schema. */
function takesText(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return takesText(schema.unwrap());
  if (schema instanceof z.ZodPipe) return takesText(schema.def.in);
  if (schema instanceof z.ZodArray) return takesText(schema.element);
  if (schema instanceof z.ZodRecord) return takesText(schema.keyType) || takesText(schema.valueType);
  if (schema instanceof z.ZodUnion) return schema.options.some(takesText);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(takesText);
  return z.safeParse(schema, freeText).success;
}
