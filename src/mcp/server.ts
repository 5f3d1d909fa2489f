import { SERVER_INFO_META_KEY, Server as StdioServer } from "@modelcontextprotocol/server";
import type { Catalogue } from "./catalogue.ts";
import { desk, isServed } from "./desk.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { handshake, type Era, type Introduction, type Request } from "./handshake.ts";
import { rpcFailure, RpcError } from "./rpc.ts";
import { toldError, type EraName, type Failures } from "./told.ts";

export interface ConnectorOptions extends Catalogue {
  readonly version: string;
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** One table of tools and resources, for both revisions of the protocol. */
export interface Connector {
  /** The answer to one request; nothing is kept between two. */
  answer(request: Request, era: Era, exchange: Exchange): Promise<object>;
  /** A server for a whole connection with one caller; what the desk throws is noted in `failures`. */
  serverFor(era: EraName, exchange: Exchange, failures: Failures): StdioServer;
}

/**
 * The desk answers what it serves without an SDK between: a stateless request needs a frame, no connection, and
 * an SDK server a request costs as much again as the whole call. Handshakes, and everything on stdio, are theirs.
 */
export function connector({ version, reportDefect, ...catalogue }: ConnectorOptions): Connector {
  const serve = desk(catalogue, reportDefect);
  const introduction: Introduction = {
    identity: { name: "tickmark", title: "Tickmark", version },
    options: {
      capabilities: { ...capabilities, completions: {} },
      instructions: catalogue.wording.instructions,
      jsonSchemaValidator: noValidator,
    },
  };
  // Ids are suggested by reads that cost nothing of the day, which the REST API behind stdio does not have.
  const stdioOptions = { ...introduction.options, capabilities };
  return {
    answer: async (request, era, exchange) => {
      const { id, method, params } = request;
      if (!isServed(method)) return handshake(introduction, request, era);
      try {
        const reply = await serve(method, params, exchange);
        return {
          jsonrpc: "2.0",
          id,
          result: era.name === "modern" ? modernResult(reply, introduction) : reply.result,
        };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const { code, message, data } = toldError(error, era.name);
        return rpcFailure(id, code, message, data);
      }
    },
    serverFor: (era, exchange, failures) => {
      const server = new StdioServer(introduction.identity, stdioOptions);
      server.fallbackRequestHandler = async (request) => {
        try {
          const reply = await serve(request.method, request.params, exchange);
          return era === "modern" ? { ...reply.result, ...reply.cache } : reply.result;
        } catch (error) {
          failures.set(request.id, error);
          throw error;
        }
      };
      return server;
    },
  };
}

/** What revision 2026-07-28 adds to every result. */
function modernResult(
  { result: { _meta: meta, ...rest }, cache }: Reply,
  { identity }: Introduction,
): object {
  return { ...rest, ...cache, resultType: "complete", _meta: { ...meta, [SERVER_INFO_META_KEY]: identity } };
}

/** We ask clients nothing, so nothing of theirs is ever held against a JSON Schema: an Ajv a server is waste. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

const capabilities = { tools: {}, resources: {}, prompts: {} };
