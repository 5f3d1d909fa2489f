import type { Refused } from "../contract/backend.ts";
import { isJsonObject } from "../contract/json-body.ts";
import type { Attachment } from "./attachment.ts";
import type { Block } from "./block.ts";
import type { Outline } from "../contract/outline.ts";
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
import type { Tool } from "./tool.ts";

export async function listTools(
  { tools }: Catalogue<Outline>,
  _params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const asker = await askerOf(exchange);
  const listed = tools.filter(
    (tool) => isOffered(tool, exchange.narrowing) && mayCall(tool.view.endpoint, asker),
  );
  return { result: { tools: listed.map(({ definition }) => definition) }, cache: listCache };
}

export async function callTool(
  { tools, wording }: Catalogue<Outline>,
  params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const { name, arguments: sent = {} } = params;
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool || !isOffered(tool, exchange.narrowing))
    return refuse(exchange, rpcCode.invalidParams, "Unknown tool");
  if (!isJsonObject(sent))
    return refuse(exchange, rpcCode.invalidParams, "The arguments of a tool are an object");
  const { view } = tool;
  const { args, pieces } = attachedTo(tool, sent);
  const progress = followed(exchange, params, 1 + pieces.length);
  const answer = await ask(exchange, view.endpoint, inputOf(view, args));
  if (!answer.ok) return { result: { ...toolResult(view, args, aboutArgument(tool, answer), wording) } };
  const result = toolResult(view, args, answer, wording);
  const attached: Block[] = [];
  for (const piece of pieces) {
    progress(1 + attached.length);
    attached.push(await piece(answer.value));
  }
  progress(1 + attached.length);
  return { result: { ...result, content: [...result.content, ...attached] } };
}

/** Tells a caller that follows how many of its steps a call has behind it. */
function followed({ notify }: Exchange, { _meta: meta }: Params, total: number): (progress: number) => void {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  if (notify === null || token === undefined || total === 1) return () => {};
  return (progress) => notify("notifications/progress", { progressToken: token, progress, total });
}

/**
 * The endpoint's arguments without the tool's own. One that is no boolean stays: the endpoint refuses it like any
 * name it does not know, in the order in which everything is refused.
 */
function attachedTo(
  { attaches }: Tool<Outline>,
  sent: Record<string, unknown>,
): { readonly args: Record<string, unknown>; readonly pieces: Attachment["pieces"] } {
  if (attaches === null) return { args: sent, pieces: [] };
  const { argument, pieces } = attaches;
  if (argument === null) return { args: sent, pieces };
  const { [argument]: asked, ...args } = sent;
  return typeof asked === "boolean" ? { args, pieces: asked ? pieces : [] } : { args: sent, pieces: [] };
}

function aboutArgument({ attaches }: Tool<Outline>, refused: Refused): Refused {
  const { body } = refused;
  const argument = attaches?.argument;
  if (!argument || body.error !== "validation_error" || body["field"] !== argument) return refused;
  return { ...refused, body: { ...body, message: `${argument} takes true or false.` } };
}
