import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCMessage as LegacyMessage,
  JSONRPCRequest as LegacyRequest,
} from "@modelcontextprotocol/sdk/types.js";
import {
  PerRequestHTTPServerTransport,
  Server as ModernServer,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
} from "@modelcontextprotocol/server";
import { desk, type Catalogue, type Exchange } from "./desk.ts";
import { told, type Failures } from "./told.ts";

/** The revision of the protocol that has no handshake; everything older begins with `initialize`. */
export const modernRevision = "2026-07-28";

export interface ConnectorOptions extends Catalogue {
  readonly version: string;
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** One table of tools and resources, behind a server of each protocol revision. */
export interface Connector {
  readonly catalogue: Catalogue;
  /** One request of revision 2025-11-25 or older. */
  answerLegacy(request: LegacyRequest, exchange: Exchange): Promise<LegacyMessage>;
  /** One request of revision 2026-07-28. */
  answerModern(
    request: JSONRPCRequest,
    classification: MessageClassification,
    exchange: Exchange,
  ): Promise<JSONRPCMessage>;
  /** A server for a whole connection with one caller, of either era. */
  serverFor(exchange: Exchange, failures: Failures, era: "legacy" | "modern"): ModernServer;
}

/** No message of a client is ever validated by us against a JSON Schema: an Ajv per server would be waste. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

const discoverCache = { "server/discover": { ttlMs: 3_600_000, cacheScope: "public" } } as const;

/**
 * Servers are made per request and share nothing. They are left the handshake and the framing; every other
 * method is the desk's, without a second validation of what it answers.
 */
export function connector({ version, reportDefect, ...catalogue }: ConnectorOptions): Connector {
  const serve = desk(catalogue, reportDefect);
  const identity = { name: "tickmark", title: "Tickmark", version };
  const common = {
    capabilities: { tools: {}, resources: {} },
    instructions: catalogue.wording.instructions,
    jsonSchemaValidator: noValidator,
  };

  const answering =
    (exchange: Exchange, failures: Failures, modern: boolean) => async (request: JSONRPCRequest) => {
      try {
        const { result, cache } = await serve(request.method, request.params, exchange);
        return modern ? { ...result, ...cache } : result;
      } catch (error) {
        failures.set(request.id, error);
        throw error;
      }
    };

  const modernServer = (exchange: Exchange, failures: Failures): ModernServer => {
    const server = new ModernServer(identity, {
      ...common,
      supportedProtocolVersions: [modernRevision],
      cacheHints: discoverCache,
    });
    server.fallbackRequestHandler = answering(exchange, failures, true);
    return server;
  };

  return {
    catalogue,
    answerLegacy: async (request, exchange) => {
      if (process.env["DIRECT"] && request.method === "tools/call") {
        const { result } = await serve(request.method, request.params, exchange);
        return { jsonrpc: "2.0", id: request.id, result };
      }
      const failures: Failures = new Map();
      const server = new LegacyServer(identity, common);
      server.fallbackRequestHandler = answering(exchange, failures, false);
      return legacyExchange(server, request, failures);
    },
    answerModern: async (request, classification, exchange) => {
      if (process.env["DIRECT"] && request.method === "tools/call") {
        const { result } = await serve(request.method, request.params, exchange);
        return { jsonrpc: "2.0", id: request.id, result: {...result, resultType: "complete" } } as never;
      }
      const failures: Failures = new Map();
      return modernExchange(modernServer(exchange, failures), request, classification, failures);
    },
    serverFor: (exchange, failures, era) => {
      if (era === "modern") return modernServer(exchange, failures);
      const server = new ModernServer(identity, common);
      server.fallbackRequestHandler = answering(exchange, failures, false);
      return server;
    },
  };
}

/** Hands a server one request and waits for its one answer. */
async function legacyExchange(
  server: LegacyServer,
  request: LegacyRequest,
  failures: Failures,
): Promise<LegacyMessage> {
  let answer: (message: LegacyMessage) => void = () => {};
  const answered = new Promise<LegacyMessage>((resolve) => (answer = resolve));
  const transport: LegacyTransport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => answer(told(message, failures, false)),
  };
  await server.connect(transport);
  transport.onmessage?.(request);
  return answered;
}

/** As the SDK's transport for one exchange, but the answer stays a message instead of becoming a web Response. */
class OneExchange extends PerRequestHTTPServerTransport {
  readonly #answer: (message: JSONRPCMessage) => void;
  constructor(classification: MessageClassification, answer: (message: JSONRPCMessage) => void) {
    super({ classification });
    this.#answer = answer;
  }
  override async send(message: JSONRPCMessage): Promise<void> {
    this.#answer(message);
  }
}

async function modernExchange(
  server: ModernServer,
  request: JSONRPCRequest,
  classification: MessageClassification,
  failures: Failures,
): Promise<JSONRPCMessage> {
  let answer: (message: JSONRPCMessage) => void = () => {};
  const answered = new Promise<JSONRPCMessage>((resolve) => (answer = resolve));
  const transport = new OneExchange(classification, (message) => answer(told(message, failures, true)));
  await server.connect(transport);
  transport.onmessage?.(request, { classification });
  return answered;
}
