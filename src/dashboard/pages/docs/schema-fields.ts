import type { Schema } from "./library.ts";

/** A line of a table of fields. */
export interface SchemaField {
  /** `data[].name` */
  readonly path: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** Fields and values that were listed before are listed again only if there are at most this many. */
const [mostFields, mostValues] = [1, 8];

/** A repeated object, or a repeated long list of values, refers to the earlier one. */
export function fieldsOf(schema: Schema, path = "", listed = new Map<string, string>()): SchemaField[] {
  const inner = bare(schema);
  if (inner.items) return fieldsOf(inner.items, `${path}[]`, listed);
  const options = inner.oneOf ?? inner.anyOf ?? [];
  if (options.length > 0) return merged(options.flatMap((each) => fieldsOf(each, path, listed)));
  const required = new Set(inner.required);
  const fields: SchemaField[] = [];
  for (const [name, property] of Object.entries(inner.properties ?? {})) {
    const own = path === "" ? name : `${path}.${name}`;
    const field = { path: own, type: typeOf(property), isOptional: !required.has(name) };
    const { properties = {}, enum: values = [] } = bare(property);
    const key = JSON.stringify([properties, values]);
    const same = listed.get(key);
    if (same !== undefined) {
      fields.push({ ...field, type: values.length > 0 ? `as ${same}` : `${field.type}, as ${same}` });
      continue;
    }
    if (Object.keys(properties).length > mostFields || values.length > mostValues) listed.set(key, own);
    fields.push(field, ...fieldsOf(property, own, listed));
  }
  return fields;
}

/** Alternatives of a value share fields; each field is listed once. */
const merged = (fields: readonly SchemaField[]): SchemaField[] => [
  ...new Map(fields.map((field) => [`${field.path} ${field.type}`, field])).values(),
];

/** Without the null alternative. */
function bare(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  const [only] = options;
  return only && options.length === 1 ? bare(only) : schema;
}

/** In words. */
export function typeOf(schema: Schema): string {
  const { anyOf, oneOf, items, type } = schema;
  const options = anyOf ?? oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(String).join(", ");
  if (items) return `list of ${plural(items)}`;
  if (Array.isArray(type)) return type.map((each) => words[String(each)] ?? String(each)).join(" or ");
  return `${words[String(type)] ?? "any JSON"}${bounds(schema)}`;
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  array: "list",
  null: "null",
};

const plural = (schema: Schema): string => (bare(schema).properties ? "objects" : typeOf(schema));

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, ${minLength ?? 0} to ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  return maximum === undefined ? "" : `, ${maximum} or less`;
}
