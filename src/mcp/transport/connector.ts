import type { Meter } from "../../contract/call/meter.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { methodHandler, isServed } from "../methods/methods.ts";
import { toolsOffered } from "../methods/tools.ts";
import type { McpRequest, McpReply } from "../methods/request.ts";
import { InputRequired } from "../consent/input-rounds.ts";
import { instructionsFor, usefulTo } from "../catalogue/instructions.ts";
import { greeted, introduces, type Introduction } from "../protocol/introduction.ts";
import type { Era, Request } from "../protocol/message.ts";
import { metaKey } from "../protocol/revisions.ts";
import { rpcFailure, RpcError } from "../protocol/rpc.ts";
import { toWireError } from "../protocol/wire-error.ts";

export interface ConnectorOptions extends Catalogue<Outline> {
  readonly version: string;
  /** False without reads that cost no call of the day: then no ids are suggested and nothing is watched. */
  readonly canPeek?: boolean;
  readonly reportDefect: (error: unknown, requestId: string) => void;
  readonly toolCalled?: Meter["toolCalled"];
}

/** Serves one catalogue over both revisions of the protocol. */
export interface Connector {
  readonly identity: Introduction["identity"];
  /** The offered tools' names as one text; null if they cannot be known now. */
  toolsOffered(context: McpRequest): Promise<string | null>;
  /** Keeps nothing between two requests. Throws `CallerRefused` if callers are guarded. */
  answer(request: Request, era: Era, context: McpRequest): Promise<object>;
}

/**
 * Known methods are answered here: a stateless request needs no connection, and an SDK server per request
 * doubles the time of a call. An SDK answers the other handshakes, and is loaded for the first of them.
 */
export function connector({
  version,
  reportDefect,
  toolCalled,
  canPeek: looks = true,
  ...catalogue
}: ConnectorOptions): Connector {
  const serve = methodHandler(catalogue, reportDefect, toolCalled);
  const introduction: Omit<Introduction, "instructions"> = {
    identity: { name: "tickmark", title: "Tickmark", version },
    capabilities: {
      tools: { listChanged: true },
      resources: looks ? { subscribe: true } : {},
      prompts: {},
      logging: {},
      ...(looks && { completions: {} }),
    },
  };
  const { tools, wording } = catalogue;
  /** Instructions are made only for methods that introduce the service. */
  const introduced = async ({ method }: Request, era: Era, context: McpRequest): Promise<Introduction> => ({
    ...introduction,
    instructions: introduces(method, era.name)
      ? instructionsFor(wording.instructions, tools, await usefulTo(context))
      : "",
  });
  return {
    identity: introduction.identity,
    toolsOffered: (context) => toolsOffered(catalogue, context),
    answer: async (request, era, context) => {
      const { id, method, params } = request;
      try {
        if (!isServed(method, era.name)) {
          const own = await introduced(request, era, context);
          const answer = greeted(own, request, era.name);
          return answer ?? (await (await import("../protocol/handshake.ts")).handshake(own, request, era));
        }
        const reply = await serve(method, params, context, era.name);
        return {
          jsonrpc: "2.0",
          id,
          result: era.name === "modern" ? modernResult(reply, introduction) : reply.result,
        };
      } catch (error) {
        if (error instanceof InputRequired) {
          const meta = { [metaKey.serverInfo]: introduction.identity };
          return {
            jsonrpc: "2.0",
            id,
            result: { ...error.result, resultType: "input_required", _meta: meta },
          };
        }
        if (!(error instanceof RpcError)) throw error;
        const { code, message, data } = toWireError(error, era.name);
        return rpcFailure(id, code, message, data);
      }
    },
  };
}

/** What revision 2026-07-28 adds to every result. */
function modernResult(
  { result: { _meta: meta, ...rest }, cache }: McpReply,
  { identity }: Pick<Introduction, "identity">,
): object {
  return { ...rest, ...cache, resultType: "complete", _meta: { ...meta, [metaKey.serverInfo]: identity } };
}
