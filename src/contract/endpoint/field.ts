import type { z } from "zod";
import type { IdForm } from "../../core/id-form.ts";
import { isIdFilter, resourceIds } from "../../core/id.ts";
import { IsoInstant, WrittenInstant } from "../../core/timestamp.ts";
import { jsonSchemaOf, type JsonSchema } from "./json-schema.ts";
import { hasOwnNull } from "./null-as-absent.ts";

export interface Field {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  /** Null outside the path. */
  readonly placeholder: string | null;
  readonly schema: z.ZodType;
  readonly json: JsonSchema;
  readonly required: boolean;
  /** Whether null is a value of it, and not the same as leaving it out. */
  readonly hasOwnNull: boolean;
  /** Set if the field names the resource that the call is about. */
  readonly resource: { readonly form: IdForm } | null;
  /** Whether the field filters a list by an id. */
  readonly isIdFilter: boolean;
  readonly isInstant: boolean;
}

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly input: z.ZodObject;
  readonly wholeBody?: string;
}

/**
 * The fields in document order. A field without a placeholder is in the query for GET and beside a body that is one
 * field, else in the body.
 */
export function describeFields({
  method,
  path,
  params,
  input,
  wholeBody,
}: Declared): ReadonlyMap<string, Field> {
  const json = jsonSchemaOf(input, "input");
  const required = new Set(json.required ?? []);
  const placeholders = new Map(Object.entries(params).map(([placeholder, name]) => [name, placeholder]));
  const fields = new Map<string, Field>();
  const isQuery = (name: string): boolean =>
    method === "GET" || (wholeBody !== undefined && wholeBody !== name);
  for (const [name, schema] of Object.entries(input.shape)) {
    const placeholder = placeholders.get(name) ?? null;
    const property = json.properties?.[name];
    if (typeof property !== "object") throw new Error(`${path}: ${name} has no JSON form.`);
    fields.set(name, {
      name,
      place: placeholder !== null ? "path" : isQuery(name) ? "query" : "body",
      placeholder,
      schema: schema as z.ZodType,
      json: property,
      required: required.has(name),
      hasOwnNull: hasOwnNull(schema as z.ZodType),
      resource: resourceOf(schema as z.ZodType),
      isIdFilter: isIdFilter(bare(schema as z.ZodType)),
      isInstant: [IsoInstant, WrittenInstant].includes(bare(schema as z.ZodType) as typeof IsoInstant),
    });
  }
  return fields;
}

const resourceOf = (schema: z.ZodType): Field["resource"] =>
  resourceIds.get(bare(schema) as z.ZodString) ?? null;

export type IdField = Pick<Field, "name" | "resource">;

export const idFieldsOf = (shape: Readonly<z.ZodRawShape>): IdField[] =>
  Object.entries(shape)
    .map(([name, schema]) => ({ name, resource: resourceOf(schema as z.ZodType) }))
    .filter(({ resource }) => resource !== null);

function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while ("unwrap" in inner && typeof inner.unwrap === "function") inner = inner.unwrap() as z.ZodType;
  return inner;
}
