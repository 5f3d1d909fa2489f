import type { Refused } from "../../contract/call/backend.ts";
import { echoed } from "../../contract/endpoint/echoed-name.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { longestPreview } from "./preview.ts";
import type { Tool } from "../catalogue/tool.ts";
import type { Wording } from "./wording.ts";

/** The endpoint does not know the tool's own arguments, nor that path, query and body are one object here. */
export function argumentErrorText(
  tool: Tool<Outline>,
  args: Record<string, unknown>,
  refused: Refused,
  { argumentErrors }: Wording,
): Refused {
  const { error, field, message } = refused.body;
  if (error !== "validation_error" && error !== "field_not_allowed") return refused;
  // Unknown names are reported before wrong values.
  const stranger = Object.keys(args).find((name) => !tool.view.endpoint.fields.has(name));
  const own = stranger === undefined ? null : ownTakes(tool, stranger);
  if (stranger !== undefined && own === null)
    return withMessage(refused, argumentErrors.unknown(echoed(stranger), argumentsOf(tool)));
  const name = stranger ?? field;
  if (typeof name !== "string") return refused;
  const isTime = own === null && tool.view.endpoint.fields.get(name)?.isInstant === true;
  const takes = own ?? (isTime ? `${message} ${argumentErrors.times}` : message);
  const type = typeof args[name] === "string" ? typeWanted(tool, name) : null;
  return withMessage(refused, type === null ? takes : `${takes} ${argumentErrors.sentAsText(type)}`);
}

const withMessage = (refused: Refused, message: string): Refused => ({
  ...refused,
  body: { ...refused.body, message },
});

/** Null for an argument of the endpoint. */
function ownTakes({ attaches, previews }: Tool<Outline>, name: string): string | null {
  if (name === attaches?.argument) return `${name} takes true or false.`;
  return name === "top" && previews !== null ? `top takes a whole number from 1 to ${longestPreview}.` : null;
}

const schemasOf = ({ definition }: Tool<Outline>): Record<string, unknown> => {
  const { properties } = definition.inputSchema;
  return isJsonObject(properties) ? properties : {};
};

const argumentsOf = (tool: Tool<Outline>): readonly string[] => Object.keys(schemasOf(tool));

const jsonTypes: ReadonlyMap<unknown, string> = new Map([
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["array", "array"],
  ["object", "object"],
]);

/** The JSON type of an argument that takes no text; null if it takes text. */
function typeWanted(tool: Tool<Outline>, name: string): string | null {
  const schema = schemasOf(tool)[name];
  const types = isJsonObject(schema) ? [schema["type"]].flat() : [];
  if (types.includes("string")) return null;
  return types.map((type) => jsonTypes.get(type)).find((type) => type !== undefined) ?? null;
}
