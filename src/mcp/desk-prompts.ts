import type { Outline } from "../contract/outline.ts";
import type { Catalogue } from "./catalogue.ts";
import {
  admitted,
  listCache,
  mayCall,
  readerOf,
  refuse,
  type Exchange,
  type Params,
  type Reply,
} from "./exchange.ts";
import { isOffered } from "./narrowing.ts";
import { longestValue, type Prompt } from "./prompt.ts";
import { rpcCode } from "./rpc.ts";

/** Prompts whose tools narrowing left; one without a tool would lead to calls of nobody. */
function offered(
  { tools, prompts }: Catalogue<Outline>,
  { narrowing }: Exchange,
): readonly Prompt<Outline>[] {
  const left = new Set(
    tools.filter((tool) => isOffered(tool, narrowing)).map(({ view }) => view.endpoint.id),
  );
  return prompts.filter(({ endpoints }) => endpoints.every(({ id }) => left.has(id)));
}

export async function listPrompts(
  catalogue: Catalogue<Outline>,
  _params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const asker = await readerOf(exchange);
  const own = offered(catalogue, exchange).filter(({ endpoints }) =>
    endpoints.every((endpoint) => mayCall(endpoint, asker)),
  );
  return { result: { prompts: own.map(({ definition }) => definition) }, cache: listCache };
}

/** Fills a prompt in. Nothing is looked up and nothing counted: the calls are the model's to make. */
export async function getPrompt(
  catalogue: Catalogue<Outline>,
  { name, arguments: sent }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const found = offered(catalogue, exchange).find(({ definition }) => definition.name === name);
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
