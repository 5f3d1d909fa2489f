import { isJsonObject } from "../contract/json-body.ts";
import type { Catalogue } from "./catalogue.ts";
import {
  ask,
  askerOf,
  listCache,
  mayCall,
  refuse,
  type Exchange,
  type Params,
  type Reply,
} from "./exchange.ts";
import { isOffered } from "./narrowing.ts";
import { inputOf, toolResult } from "./result.ts";
import { rpcCode } from "./rpc.ts";

export async function listTools({ tools }: Catalogue, _params: Params, exchange: Exchange): Promise<Reply> {
  const asker = await askerOf(exchange);
  const listed = tools.filter(
    (tool) => isOffered(tool, exchange.narrowing) && mayCall(tool.view.endpoint, asker),
  );
  return { result: { tools: listed.map(({ definition }) => definition) }, cache: listCache };
}

export async function callTool(
  { tools, wording }: Catalogue,
  { name, arguments: sent = {} }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool || !isOffered(tool, exchange.narrowing))
    return refuse(exchange, rpcCode.invalidParams, "Unknown tool");
  if (!isJsonObject(sent))
    return refuse(exchange, rpcCode.invalidParams, "The arguments of a tool are an object");
  const { view } = tool;
  const answer = await ask(exchange, view.endpoint, inputOf(view, sent));
  return { result: { ...toolResult(view, sent, answer, wording) } };
}
