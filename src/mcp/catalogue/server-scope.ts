import type { Outline } from "../../contract/endpoint/outline.ts";
import type { LeanSchema } from "./lean-schema.ts";
import type { Prompt } from "./prompt.ts";
import type { Tool } from "./tool.ts";

/*
 * A connection can be limited to one server of its account: then nothing is offered that could lead to another one,
 * and the connector fills the server in itself.
 */

/** The argument that says which server a call is about, in every tool that is about one. */
export const serverArgument = "server_id";

/** Answers about the token alone, with nothing of any server. */
const tokenEndpoint = "token.get";

/** Whether a connection that is limited to one server can reach an endpoint. */
export const isInServerScope = ({ id, fields }: Pick<Outline, "id" | "fields">): boolean =>
  fields.has(serverArgument) || id === tokenEndpoint;

const scopedTools = new WeakMap<Tool<Outline>, Tool<Outline>>();

/** The same tool without the argument that the connector fills in; made once. */
export function withoutServer(tool: Tool<Outline>): Tool<Outline> {
  const known = scopedTools.get(tool);
  if (known) return known;
  const definition = { ...tool.definition, inputSchema: schemaWithoutServer(tool.definition.inputSchema) };
  const scoped = { ...tool, definition: Object.freeze(definition) };
  scopedTools.set(tool, scoped);
  return scoped;
}

function schemaWithoutServer({ properties, required, ...rest }: LeanSchema): LeanSchema {
  // Sound: every tool's input schema is an object's, with its members as JSON Schema has them.
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

/** The same prompt with its server filled in. */
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
