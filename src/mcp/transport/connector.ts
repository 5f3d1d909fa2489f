import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { desk, isServed } from "../methods/methods.ts";
import { toolsOffered } from "../methods/tools.ts";
import type { Exchange, Reply } from "../methods/request.ts";
import { InputRequired } from "../consent/input-rounds.ts";
import { instructionsFor, usefulTo } from "../catalogue/instructions.ts";
import { greeted, introduces, type Introduction } from "../protocol/introduction.ts";
import type { Era, Request } from "../protocol/message.ts";
import { metaKey } from "../protocol/revisions.ts";
import { rpcFailure, RpcError } from "../protocol/rpc.ts";
import { toldError } from "../protocol/wire-error.ts";

export interface ConnectorOptions extends Catalogue<Outline> {
  readonly version: string;
  /** False where no read is at hand that costs nothing of the day: then no ids are suggested and nothing is watched. */
  readonly looks?: boolean;
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** One table of tools and resources, for both revisions of the protocol. */
export interface Connector {
  /** What it says of itself beside every result. */
  readonly identity: Introduction["identity"];
  /** Which tools the caller of an exchange is offered, as text that changes with them; null where it is not known. */
  toolsOffered(exchange: Exchange): Promise<string | null>;
  /** The answer to one request; nothing is kept between two. */
  answer(request: Request, era: Era, exchange: Exchange): Promise<object>;
}

/**
 * The desk answers what it serves without an SDK between: a stateless request needs a frame, no connection, and
 * an SDK server a request costs as much again as the whole call. Handshakes out of the ordinary are an SDK's, which
 * is loaded for the first one.
 */
export function connector({
  version,
  reportDefect,
  looks = true,
  ...catalogue
}: ConnectorOptions): Connector {
  const serve = desk(catalogue, reportDefect);
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
  /** Who only says that it is there, or asks for nothing we know, is told nothing of us. */
  const introduced = async ({ method }: Request, era: Era, exchange: Exchange): Promise<Introduction> => ({
    ...introduction,
    instructions: introduces(method, era.name)
      ? instructionsFor(wording.instructions, tools, await usefulTo(exchange))
      : "",
  });
  return {
    identity: introduction.identity,
    toolsOffered: (exchange) => toolsOffered(catalogue, exchange),
    answer: async (request, era, exchange) => {
      const { id, method, params } = request;
      try {
        if (!isServed(method, era.name)) {
          const own = await introduced(request, era, exchange);
          const answer = greeted(own, request, era.name);
          return answer ?? (await (await import("../protocol/handshake.ts")).handshake(own, request, era));
        }
        const reply = await serve(method, params, exchange, era.name);
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
        const { code, message, data } = toldError(error, era.name);
        return rpcFailure(id, code, message, data);
      }
    },
  };
}

/** What revision 2026-07-28 adds to every result. */
function modernResult(
  { result: { _meta: meta, ...rest }, cache }: Reply,
  { identity }: Pick<Introduction, "identity">,
): object {
  return { ...rest, ...cache, resultType: "complete", _meta: { ...meta, [metaKey.serverInfo]: identity } };
}
