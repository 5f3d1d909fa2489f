import { z } from "zod";
import type { Refused } from "../contract/backend.ts";
import { isJsonObject } from "../contract/json-body.ts";
import { accepts } from "../contract/json-schema.ts";
import type { Catalogue } from "./catalogue.ts";
import { draw, type Drawing } from "./chart/drawing.ts";
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
import type { Tool } from "./tool.ts";

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
  const { args, drawing } = chartAsked(tool, sent);
  const answer = await ask(exchange, view.endpoint, inputOf(view, args));
  if (!answer.ok) return { result: { ...toolResult(view, args, aboutChart(tool, answer), wording) } };
  const result = toolResult(view, args, answer, wording);
  if (drawing === null) return { result: { ...result } };
  return { result: { ...result, content: [...result.content, await draw(drawing, answer.value)] } };
}

/**
 * The endpoint's arguments without the tool's own. One that is no boolean stays: the endpoint refuses it like any
 * name it does not know, in the order in which everything is refused.
 */
function chartAsked(
  { draws }: Tool,
  sent: Record<string, unknown>,
): { readonly args: Record<string, unknown>; readonly drawing: Drawing | null } {
  const { chart, ...args } = sent;
  if (draws === null || typeof chart !== "boolean") return { args: sent, drawing: null };
  return { args, drawing: chart ? draws : null };
}

function aboutChart({ draws }: Tool, refused: Refused): Refused {
  const { body } = refused;
  if (draws === null || body.error !== "validation_error" || body["field"] !== "chart") return refused;
  return { ...refused, body: { ...body, message: `chart takes ${accepts(z.boolean())}.` } };
}
