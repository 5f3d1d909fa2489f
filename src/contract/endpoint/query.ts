import type { Endpoint } from "./endpoint.ts";
import type { Field } from "./field.ts";
import { invalidField, unknownParameter } from "./input.ts";

type Decode = (text: string) => unknown;

const number: Decode = (text) => (/^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined);

/** Parsers of query values by type; `undefined` means refused. */
const decoders: Record<string, Decode> = {
  string: (text) => text,
  integer: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  number,
  boolean: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  array: (text) => text.split(","),
};

const decoderOf = ({ json }: Field): Decode =>
  decoders[typeof json.type === "string" ? json.type : "string"] ?? ((text) => text);

/**
 * Refuses a parameter by name if it is unknown, repeated, empty or not written as its type; nothing is
 * coerced (`0x10`, `1e1` and `+1` are no integers).
 */
export function decodeQuery(
  endpoint: Endpoint,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const field = endpoint.fields.get(name);
    if (!field || field.place !== "query") throw unknownParameter(endpoint, name);
    const value = typeof text === "string" && text !== "" ? decoderOf(field)(text) : undefined;
    if (value === undefined) throw invalidField(endpoint, name);
    input[name] = value;
  }
  return input;
}
