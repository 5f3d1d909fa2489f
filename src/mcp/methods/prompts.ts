import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  admitted,
  listCache,
  mayCall,
  readerOf,
  refuseRequest,
  type McpRequest,
  type Params,
  type McpReply,
} from "./request.ts";
import { longestValue, type PromptArgument } from "../catalogue/prompt.ts";
import { rpcCode } from "../protocol/rpc.ts";

export async function listPrompts(
  { prompts }: Catalogue<Outline>,
  _params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const caller = await readerOf(context);
  const own = prompts.filter(({ endpoints }) => endpoints.every((endpoint) => mayCall(endpoint, caller)));
  return { result: { prompts: own.map(({ definition }) => definition) }, cache: listCache };
}

/** Empty if the client cannot ask its person. Drops values that are not text or too long. */
async function argumentsFromPerson(
  open: readonly PromptArgument[],
  { person, narrowing }: McpRequest,
): Promise<Record<string, string>> {
  if (person === null || !narrowing.confirm || open.length === 0) return {};
  const answer = await person.ask({
    key: "arguments",
    message: "This prompt needs to know:",
    schema: {
      type: "object",
      properties: Object.fromEntries(
        open.map(({ name, description }) => [name, { type: "string", description, maxLength: longestValue }]),
      ),
      required: open.map(({ name }) => name),
    },
    sealed: false,
  });
  if (answer.action !== "accept") return {};
  const filled: Record<string, string> = {};
  for (const { name } of open) {
    const value = answer.content[name];
    if (typeof value === "string" && value.length <= longestValue) filled[name] = value;
  }
  return filled;
}

/** Counts nothing: the model makes the prompt's calls itself. */
export async function getPrompt(
  { prompts }: Catalogue<Outline>,
  { name, arguments: sent }: Params,
  context: McpRequest,
): Promise<McpReply> {
  const found = prompts.find(({ definition }) => definition.name === name);
  if (!found)
    return refuseRequest(
      context,
      rpcCode.invalidParams,
      "No prompt has this name; prompts/list shows the prompts",
    );
  const { definition, messages } = found;
  const filled: Record<string, string> = {};
  for (const [argument, value] of Object.entries(sent ?? {})) {
    if (!definition.arguments.some((known) => known.name === argument))
      return refuseRequest(context, rpcCode.invalidParams, "This prompt has no such argument");
    if (value === null) continue;
    if (typeof value !== "string" || value.length > longestValue)
      return refuseRequest(
        context,
        rpcCode.invalidParams,
        `An argument must be text of at most ${longestValue} characters`,
      );
    filled[argument] = value;
  }
  await admitted(context);
  const open = definition.arguments.filter(({ required, name }) => required && !filled[name]?.trim());
  Object.assign(filled, await argumentsFromPerson(open, context));
  const left = open.find(({ name }) => !filled[name]?.trim());
  if (left) return refuseRequest(context, rpcCode.invalidParams, `This prompt needs ${left.name}`);
  const begun = await messages(filled);
  return {
    result: {
      description: definition.description,
      messages: begun.map((content) => ({ role: "user", content })),
    },
  };
}
