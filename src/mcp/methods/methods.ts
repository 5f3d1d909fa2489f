import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { complete } from "./completion.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listTemplates, readResource } from "./resources.ts";
import { setLogLevel, subscribe, unsubscribe } from "./session-methods.ts";
import { callTool, listTools } from "./tools.ts";
import type { Exchange, Params, Reply } from "./request.ts";
import { InputRequired } from "../consent/input-rounds.ts";
import { narrowedCatalogue } from "../catalogue/narrowed-catalogue.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import type { EraName } from "../protocol/wire-error.ts";

export type Desk = (method: string, params: unknown, exchange: Exchange, era: EraName) => Promise<Reply>;

/** Is given what the caller's connection is narrowed to. */
type Answer = (catalogue: Catalogue<Outline>, params: Params, exchange: Exchange) => Promise<Reply>;

/** Each asks who the caller is, or makes the one call that does, before it answers. */
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

/** Whether a method is the desk's; all others are of the protocol itself. */
export const isServed = (method: string, era: EraName): boolean => answerFor(method, era) !== undefined;

/** Answers the requests of both protocol revisions; throws nothing but `RpcError` and `InputRequired`. */
export function desk(
  catalogue: Catalogue<Outline>,
  reportDefect: (error: unknown, requestId: string) => void,
): Desk {
  return async (method, params, exchange, era) => {
    try {
      const answer = answerFor(method, era);
      const offered = narrowedCatalogue(catalogue, exchange.narrowing);
      if (answer) return await answer(offered, isJsonObject(params) ? params : {}, exchange);
      throw new RpcError(rpcCode.methodNotFound, "Method not found");
    } catch (error) {
      if (error instanceof InputRequired) throw error;
      if (error instanceof RpcError) throw explained(error, catalogue, exchange);
      reportDefect(error, exchange.requestId);
      throw new RpcError(rpcCode.internalError, "Internal error", { request_id: exchange.requestId });
    }
  };
}

/** Where no transport answers for it, many clients show why a caller gets nothing by the error's message alone. */
function explained(error: RpcError, { wording }: Catalogue<Outline>, exchange: Exchange): RpcError {
  const { guarded, refused } = exchange;
  if (guarded || refused === null) return error;
  const message = refused.status === 401 ? wording.notes.tokenRefused : refused.body.message;
  return new RpcError(error.code, message, error.data);
}
