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
import { headed, longestHead } from "./heads.ts";
import { pointsDrawn } from "./lean-schema.ts";
import { isOffered } from "./narrowing.ts";
import { planNotes } from "./plan-note.ts";
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
  const { view, heads } = tool;
  const { args, drawing, top } = ownAsked(tool, sent);
  const answer = await ask(exchange, view.endpoint, inputOf(view, args));
  if (!answer.ok) return { result: { ...toolResult(view, args, aboutOwn(tool, answer), wording) } };
  const { value, gone } =
    heads === null ? { value: answer.value, gone: 0 } : headed(answer.value, heads, top);
  const said = [
    ...(await planNotes(exchange, view, value, wording)),
    ...(gone > 0 ? [wording.notes.headsShown(gone)] : []),
  ];
  const result = toolResult(view, args, { ...answer, value }, wording, said);
  if (drawing === null) return { result: { ...result } };
  return { result: { ...result, content: [...result.content, await draw(drawing, answer.value)] } };
}

/** What tools take themselves, beside what their endpoints take. */
const own = { chart: z.boolean(), top: z.int().min(1).max(longestHead) } as const;

interface OwnAsked {
  /** What is the endpoint's. */
  readonly args: Record<string, unknown>;
  readonly drawing: Drawing | null;
  readonly top: number | null;
}

/**
 * The endpoint's arguments without the tool's own. One of these with a wrong value stays: the endpoint refuses it
 * like any name it does not know, in the order in which everything is refused.
 */
function ownAsked({ draws, heads }: Tool, sent: Record<string, unknown>): OwnAsked {
  const args = { ...sent };
  const chart = own.chart.safeParse(draws === null ? undefined : sent["chart"]);
  const top = own.top.safeParse(heads === null ? undefined : sent["top"]);
  if (chart.success) delete args["chart"];
  if (top.success) delete args["top"];
  const drawing = chart.data === true ? draws : null;
  return {
    args: drawing === null ? args : { max_points: pointsDrawn, ...args },
    drawing,
    top: top.data ?? null,
  };
}

function aboutOwn({ draws, heads }: Tool, refused: Refused): Refused {
  const { body } = refused;
  const { error, field } = body;
  if (error !== "validation_error") return refused;
  if (field === "chart" && draws !== null) return told(refused, `chart takes ${accepts(own.chart)}.`);
  if (field === "top" && heads !== null) return told(refused, `top takes ${accepts(own.top)}.`);
  return refused;
}

const told = (refused: Refused, message: string): Refused => ({
  ...refused,
  body: { ...refused.body, message },
});
