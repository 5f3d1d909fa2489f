import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Field } from "../../contract/endpoint/field.ts";
import type { View } from "../result/view.ts";
import { jsonSchemaOf, type JsonSchema } from "../../contract/endpoint/json-schema.ts";
import { pointsByDefault } from "../result/result-limits.ts";

/** A short JSON Schema, because a model pays for its tokens on each request. */
export type LeanSchema = { readonly [keyword: string]: unknown };

/** One flat, closed object. Throws if `described` names an argument that the tool does not take. */
export function leanInput(
  { endpoint, usualRows }: Pick<View, "endpoint" | "usualRows">,
  own: Readonly<Record<string, LeanSchema>>,
  described: Readonly<Record<string, string>>,
): LeanSchema {
  const fields = [...endpoint.fields.values()];
  const usual = { limit: usualRows, max_points: pointsByDefault };
  const required = fields.filter((field) => field.required).map((field) => field.name);
  const plain: Record<string, LeanSchema> = {
    ...Object.fromEntries(fields.map((field) => [field.name, leanField(field, usual)])),
    ...own,
  };
  for (const name of Object.keys(described))
    if (!(name in plain)) throw new Error(`${endpoint.id} takes no ${name} that could be described.`);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(plain).map(([name, schema]) => {
        const description = described[name];
        return [name, description === undefined ? schema : { ...schema, description }];
      }),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function leanField(field: Field, usual: Readonly<Record<string, number>>): LeanSchema {
  const lean = leanValue(field.json, field.place === "body");
  const value = usual[field.name];
  return value === undefined ? lean : { ...lean, default: value };
}

/** Lengths are kept for text that is stored, not for text that is only matched. */
function leanValue(json: JsonSchema, stored: boolean): LeanSchema {
  if (json.anyOf) return merged(json.anyOf.filter(isSchema).map((option) => leanValue(option, stored)));
  const { type, enum: values, items, minimum, maximum, maxLength, maxItems } = json;
  return {
    ...(type !== undefined && { type }),
    ...(values && { enum: values }),
    ...(isSchema(items) && { items: leanValue(items, false) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(stored && maxLength !== undefined && { maxLength }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

/**
 * The names of an answer's members, and of those of its rows: what each holds is seen in the answer, and a model
 * would pay for the types with each request. Other members are allowed.
 */
export function leanOutput(endpoint: Endpoint): LeanSchema {
  const { properties = {} } = jsonSchemaOf(endpoint.output, "output");
  return {
    type: "object",
    properties: named(properties, (name, member) => (name === "data" ? rowsOf(member) : {})),
  };
}

function rowsOf(json: unknown): LeanSchema {
  const items = isSchema(json) ? json.items : undefined;
  return isSchema(items) && items.properties !== undefined
    ? { items: { properties: named(items.properties, () => ({})) } }
    : {};
}

const named = (
  members: Readonly<Record<string, unknown>>,
  schemaOf: (name: string, member: unknown) => LeanSchema,
): LeanSchema =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, schemaOf(name, member)]));

const isSchema = (json: unknown): json is JsonSchema =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** Merges alternatives into one schema, because many clients refuse `anyOf` in a tool. */
function merged(options: readonly LeanSchema[]): LeanSchema {
  // If one alternative takes any value, the others add nothing.
  if (options.some((option) => Object.keys(option).length === 0)) return {};
  const types = [...new Set(options.flatMap(({ type }) => type ?? []))];
  const values = options.flatMap(({ enum: listed }) => listed ?? []);
  return {
    ...Object.fromEntries(options.flatMap((option) => Object.entries(option))),
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(values.length > 0 && { enum: types.includes("null") ? [...values, null] : values }),
  };
}
