import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  admitted,
  listCache,
  mayCall,
  readerOf,
  refuse,
  type Exchange,
  type Params,
  type Reply,
} from "./request.ts";
import { longestValue, type PromptArgument } from "../catalogue/prompt.ts";
import { rpcCode } from "../protocol/rpc.ts";

export async function listPrompts(
  { prompts }: Catalogue<Outline>,
  _params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const asker = await readerOf(exchange);
  const own = prompts.filter(({ endpoints }) => endpoints.every((endpoint) => mayCall(endpoint, asker)));
  return { result: { prompts: own.map(({ definition }) => definition) }, cache: listCache };
}

/** What a person who can be asked fills in; whatever is no text of ours to take is left out. */
async function askedFor(
  open: readonly PromptArgument[],
  { person, narrowing }: Exchange,
): Promise<Record<string, string>> {
  if (person === null || !narrowing.confirm || open.length === 0) return {};
  const said = await person.ask({
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
  if (said.action !== "accept") return {};
  const filled: Record<string, string> = {};
  for (const { name } of open) {
    const value = said.content[name];
    if (typeof value === "string" && value.length <= longestValue) filled[name] = value;
  }
  return filled;
}

/** Fills a prompt in. Nothing is looked up and nothing counted: the calls are the model's to make. */
export async function getPrompt(
  { prompts }: Catalogue<Outline>,
  { name, arguments: sent }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const found = prompts.find(({ definition }) => definition.name === name);
  if (!found)
    return refuse(exchange, rpcCode.invalidParams, "No prompt has this name; prompts/list shows them");
  const { definition, messages } = found;
  const filled: Record<string, string> = {};
  for (const [argument, value] of Object.entries(sent ?? {})) {
    if (!definition.arguments.some((known) => known.name === argument))
      return refuse(exchange, rpcCode.invalidParams, "This prompt has no such argument");
    if (typeof value !== "string" || value.length > longestValue)
      return refuse(
        exchange,
        rpcCode.invalidParams,
        `An argument is text of at most ${longestValue} characters`,
      );
    filled[argument] = value;
  }
  await admitted(exchange);
  const open = definition.arguments.filter(({ required, name }) => required && !filled[name]?.trim());
  Object.assign(filled, await askedFor(open, exchange));
  const left = open.find(({ name }) => !filled[name]?.trim());
  if (left) return refuse(exchange, rpcCode.invalidParams, `This prompt needs ${left.name}`);
  const begun = await messages(filled);
  return {
    result: {
      description: definition.description,
      messages: begun.map((content) => ({ role: "user", content })),
    },
  };
}
