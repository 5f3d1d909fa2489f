import { z } from "zod";
import { acceptedForms, accepting } from "../../core/accepted-form.ts";
import { textRules } from "../../core/text/third-party-text.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** JSON Schema (2020-12) without references. Lengths are code points, as JSON Schema counts them. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: addRules,
  });
  return json;
}

/** The JSON Schemas of a registry by id; a schema inside another is a reference to `uriOf(id)`. */
export function registeredSchemas(
  registry: z.core.$ZodRegistry<{ id: string }>,
  uriOf: (id: string) => string,
): Record<string, Record<string, unknown>> {
  const { schemas } = z.toJSONSchema(registry, {
    io: "output",
    unrepresentable: "any",
    override: addRules,
    uri: uriOf,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _uri, id: _id, ...json }]) => [
      id,
      open(json),
    ]),
  );
}

/**
 * Answers stay open to later members. A nullable plain value is written as a list of types, which code
 * generators understand best.
 */
function open(node: unknown): Record<string, unknown> {
  // Sound: a schema's members are schemas, lists or records of schemas, or plain values, and stay so.
  return opened(node) as Record<string, unknown>;
}

function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened);
  if (typeof node !== "object" || node === null) return node;
  const { additionalProperties, ...rest } = node as Record<string, unknown>;
  const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, opened(member)]));
  if (additionalProperties !== undefined && additionalProperties !== false)
    members["additionalProperties"] = opened(additionalProperties);
  return nullableAsTypes(members) ?? members;
}

const plainTypes = new Set(["string", "number", "integer", "boolean"]);

function nullableAsTypes(schema: Record<string, unknown>): Record<string, unknown> | null {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const [value, none] = anyOf as Record<string, unknown>[];
  if (value === undefined || none?.["type"] !== "null" || "enum" in value || "const" in value) return null;
  const { type, ...bounds } = value;
  return plainTypes.has(String(type)) ? { ...beside, type: [type, "null"], ...bounds } : null;
}

function addRules({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const rule = textRules.get(zodSchema as z.ZodString);
  if (rule) {
    if (rule.min > 0) jsonSchema.minLength = rule.min;
    jsonSchema.maxLength = rule.max;
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** What a field accepts, as the end of the sentence "… takes", derived from its schema. */
export function accepts(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return accepts(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return `${accepts(schema.unwrap() as z.ZodType)}, or null`;
  const form = acceptedForms.get(schema);
  if (form) return form.text;
  if (schema instanceof z.ZodPipe) return accepts(schema.in as z.ZodType);
  const json = jsonSchemaOf(schema, "input");
  if (schema instanceof z.ZodArray) {
    return `a list${valuesOf(json)}, each ${accepts(schema.element as z.ZodType)}`;
  }
  return acceptsJson(json);
}

/** The bounds of a list, such as " of at least 1 and at most 5 values"; empty if it has none. */
function valuesOf({ minItems = 0, maxItems }: JsonSchema): string {
  const least = minItems > 0 ? `at least ${minItems}` : null;
  const most = maxItems === undefined ? null : `at most ${maxItems}`;
  const bounds = [least, most].filter((bound) => bound !== null);
  return bounds.length === 0 ? "" : ` of ${bounds.join(" and ")} values`;
}

/** The schema that an issue's path leads to; null if the path cannot be followed. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | null {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = bare(schema);
  if (inner instanceof z.ZodDiscriminatedUnion) return ofOptions(inner, path);
  const next: unknown =
    inner instanceof z.ZodObject
      ? inner.shape[String(key)]
      : inner instanceof z.ZodArray
        ? inner.element
        : undefined;
  return next instanceof z.ZodType ? schemaAt(next, rest) : null;
}

/** `schemaAt` for a union: if the options differ there, the result describes what each kind accepts. */
function ofOptions(union: z.ZodDiscriminatedUnion, path: readonly PropertyKey[]): z.ZodType | null {
  const { discriminator } = union.def;
  const found = new Map<string, { schema: z.ZodType; kinds: z.core.util.Literal[] }>();
  const all: z.core.util.Literal[] = [];
  for (const option of union.options as readonly z.ZodType[]) {
    const named = schemaAt(option, [discriminator]);
    const kinds = named instanceof z.ZodLiteral ? [...named.values] : [];
    all.push(...kinds);
    const schema = schemaAt(option, path);
    if (schema === null) continue;
    const text = accepts(schema);
    found.set(text, { schema, kinds: [...(found.get(text)?.kinds ?? []), ...kinds] });
  }
  if (path.length === 1 && path[0] === discriminator) return z.literal(all);
  const [only, ...others] = found.values();
  if (only === undefined || others.length === 0) return only?.schema ?? null;
  const each = Array.from(
    found,
    ([text, { kinds }]) => `${text} when ${discriminator} is ${kinds.join(" or ")}`,
  );
  return accepting(z.unknown(), each.join("; "));
}

/** The schema of a value, of a list its entries', without optional, nullable and default around it. */
export function schemaOfEntries(schema: z.ZodType): z.ZodType {
  const inner = bare(schema);
  return inner instanceof z.ZodArray ? schemaOfEntries(inner.element as z.ZodType) : inner;
}

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return bare(schema.in as z.ZodType);
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return wrapped ? bare(schema.unwrap() as z.ZodType) : schema;
}

function acceptsJson({
  type,
  const: only,
  enum: values,
  minimum,
  maximum,
  minLength,
  maxLength,
}: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return `one of ${values.join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "integer") return `a whole number${range(minimum, maximum)}`;
  if (type === "number") return `a number${range(minimum, maximum)}`;
  if (type === "array") return "a list";
  if (type === "object") return "an object";
  if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
  return "text";
}

const range = (minimum: number | undefined, maximum: number | undefined): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
};
