import type { Outline } from "../contract/outline.ts";
import type { Catalogue } from "./catalogue.ts";
import {
  admitted,
  askerOf,
  listCache,
  mayCall,
  refuse,
  type Exchange,
  type Params,
  type Reply,
} from "./exchange.ts";
import { rpcCode } from "./rpc.ts";

/** The longest value a prompt takes, characters. */
const longestValue = 500;

export async function listPrompts(
  { prompts }: Catalogue<Outline>,
  _params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const asker = await askerOf(exchange);
  const own = prompts.filter(({ endpoints }) => endpoints.every((endpoint) => mayCall(endpoint, asker)));
  return { result: { prompts: own.map(({ definition }) => definition) }, cache: listCache };
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
  const open = definition.arguments.find(({ required, name }) => required && !filled[name]?.trim());
  if (open) return refuse(exchange, rpcCode.invalidParams, `This prompt needs ${open.name}`);
  await admitted(exchange);
  const begun = await messages(filled);
  return {
    result: {
      description: definition.description,
      messages: begun.map((content) => ({ role: "user", content })),
    },
  };
}
