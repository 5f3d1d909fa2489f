import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Meter, ToolOutcome } from "../../contract/call/meter.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { complete } from "./completion.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listTemplates, readResource } from "./resources.ts";
import { setLogLevel, subscribe, unsubscribe } from "./session-methods.ts";
import { callTool, listTools } from "./tools.ts";
import { CallerRefused, type McpRequest, type Params, type McpReply } from "./request.ts";
import { InputRequired } from "../consent/input-rounds.ts";
import { narrowedCatalogue } from "../catalogue/narrowed-catalogue.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import type { EraName } from "../protocol/wire-error.ts";

export type Methods = (
  method: string,
  params: unknown,
  context: McpRequest,
  era: EraName,
) => Promise<McpReply>;

/** `catalogue` is already narrowed for the caller's connection. */
type Answer = (catalogue: Catalogue<Outline>, params: Params, context: McpRequest) => Promise<McpReply>;

/** Each authenticates the caller, itself or by its one call, before it answers. */
const methods: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["tools/list", listTools],
  ["tools/call", callTool],
  ["resources/list", listResources],
  ["resources/templates/list", listTemplates],
  ["resources/read", readResource],
  ["prompts/list", listPrompts],
  ["prompts/get", getPrompt],
  ["completion/complete", complete],
]);

/** Of revisions before 2026-07-28. */
const sessionMethods: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["logging/setLevel", setLogLevel],
  ["resources/subscribe", subscribe],
  ["resources/unsubscribe", unsubscribe],
]);

const answerFor = (method: string, era: EraName): Answer | undefined =>
  methods.get(method) ?? (era === "legacy" ? sessionMethods.get(method) : undefined);

/** False for methods of the protocol itself, which the handshake answers. */
export const isServed = (method: string, era: EraName): boolean => answerFor(method, era) !== undefined;

/** The handler throws only `RpcError`, `InputRequired` and `CallerRefused`. */
export function methodHandler(
  catalogue: Catalogue<Outline>,
  reportDefect: (error: unknown, requestId: string) => void,
  toolCalled: Meter["toolCalled"] | null = null,
): Methods {
  const answered: Methods = async (method, params, context, era) => {
    try {
      const answer = answerFor(method, era);
      const offered = narrowedCatalogue(catalogue, context.narrowing);
      if (answer) return await answer(offered, isJsonObject(params) ? params : {}, context);
      throw new RpcError(rpcCode.methodNotFound, "Method not found");
    } catch (error) {
      if (error instanceof InputRequired || error instanceof RpcError) throw error;
      if (error instanceof CallerRefused) throw context.guarded ? error : explained(error, catalogue);
      reportDefect(error, context.requestId);
      throw new RpcError(rpcCode.internalError, "Internal error", { request_id: context.requestId });
    }
  };
  return toolCalled === null ? answered : countingTools(answered, catalogue, toolCalled);
}

/** All unknown names are counted as one, so that a caller cannot create series. */
function countingTools(
  answered: Methods,
  { tools }: Catalogue<Outline>,
  toolCalled: Meter["toolCalled"],
): Methods {
  const names = new Set(tools.map(({ name }) => name));
  return async (method, params, context, era) => {
    if (method !== "tools/call") return answered(method, params, context, era);
    const begun = performance.now();
    let outcome: ToolOutcome = "failed";
    try {
      const reply = await answered(method, params, context, era);
      outcome = reply.result["isError"] === true ? "refused" : "done";
      return reply;
    } finally {
      const name = isJsonObject(params) ? params["name"] : null;
      const tool = typeof name === "string" && names.has(name) ? name : "unknown";
      toolCalled(tool, outcome, (performance.now() - begun) / 1000);
    }
  };
}

/** Over stdio the refusal becomes the request's error: many clients show only its message. */
function explained({ refused }: CallerRefused, { wording }: Catalogue<Outline>): RpcError {
  const explanation = refused.status === 401 ? wording.notes.tokenRefused : refused.body.message;
  return new RpcError(rpcCode.internalError, explanation, refused.body);
}
