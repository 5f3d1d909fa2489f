import type { Outline } from "../../contract/endpoint/outline.ts";
import type { LeanSchema } from "./lean-schema.ts";
import type { Prompt } from "./prompt.ts";
import type { Tool } from "./tool.ts";

/* A connection limited to one server reaches no other: the connector fills in `server_id` itself. */

export const serverArgument = "server_id";

/** It tells about the token alone and about no server, so a limited connection may call it. */
const tokenEndpoint = "token.get";

export const isInServerScope = ({ id, fields }: Pick<Outline, "id" | "fields">): boolean =>
  fields.has(serverArgument) || id === tokenEndpoint;

const scopedTools = new WeakMap<Tool<Outline>, Tool<Outline>>();

export function withoutServer(tool: Tool<Outline>): Tool<Outline> {
  const known = scopedTools.get(tool);
  if (known) return known;
  const definition = { ...tool.definition, inputSchema: schemaWithoutServer(tool.definition.inputSchema) };
  const scoped = { ...tool, definition: Object.freeze(definition) };
  scopedTools.set(tool, scoped);
  return scoped;
}

function schemaWithoutServer({ properties, required, ...rest }: LeanSchema): LeanSchema {
  // Sound: every tool's input schema is the schema of an object.
  const { [serverArgument]: _filledIn, ...left } = properties as Record<string, LeanSchema>;
  const needed = Array.isArray(required) ? required.filter((name) => name !== serverArgument) : [];
  return Object.freeze({
    ...rest,
    properties: Object.freeze(left),
    ...(needed.length > 0 && { required: Object.freeze(needed) }),
  });
}

const isFilledIn =
  "This connection is limited to that server: its tools take no server_id, and other servers cannot be seen.";

export function aboutServer(prompt: Prompt<Outline>, server: string): Prompt<Outline> {
  const { definition, suggests, messages } = prompt;
  const filledIn = Object.keys(suggests).filter((name) => suggests[name]?.kind === "server");
  if (filledIn.length === 0) return prompt;
  const own = Object.fromEntries(filledIn.map((name) => [name, server]));
  return {
    ...prompt,
    definition: {
      ...definition,
      arguments: definition.arguments.filter(({ name }) => !filledIn.includes(name)),
    },
    messages: async (filled) => [
      ...(await messages({ ...filled, ...own })),
      { type: "text", text: isFilledIn },
    ],
  };
}
