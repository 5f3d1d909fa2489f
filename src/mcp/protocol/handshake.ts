import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage as LegacyMessage } from "@modelcontextprotocol/sdk/types.js";
import {
  PerRequestHTTPServerTransport,
  Server as ModernServer,
  type JSONRPCMessage,
  type MessageClassification,
} from "@modelcontextprotocol/server";
import { discoverCache, type Introduction } from "./introduction.ts";
import type { Era, Request } from "./message.ts";
import { modernRevision } from "./revisions.ts";
import { asWritten } from "./wire-error.ts";

/** Answers a method of the protocol itself by an SDK server of the revision, which lives for one request. */
export function handshake(introduction: Introduction, request: Request, era: Era): Promise<object> {
  const { identity, capabilities, instructions } = introduction;
  const options = { capabilities, instructions, jsonSchemaValidator: noValidator };
  if (era.name === "legacy") return legacyHandshake(new LegacyServer(identity, options), request);
  const cacheHints = { "server/discover": discoverCache };
  const modern = { ...options, supportedProtocolVersions: [modernRevision], cacheHints };
  return modernHandshake(new ModernServer(identity, modern), request, era.classification);
}

/** The answers ask clients nothing, so no schema is validated; the default makes an Ajv per server. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

async function legacyHandshake(server: LegacyServer, request: Request): Promise<object> {
  let answer: (message: LegacyMessage) => void = () => {};
  const answered = new Promise<LegacyMessage>((resolve) => (answer = resolve));
  const transport: LegacyTransport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => answer(message),
  };
  await server.connect(transport);
  transport.onmessage?.(asMessage(request));
  return asWritten(await answered);
}

/** The SDK's transport for one request, but its answer stays a message and does not become a web Response. */
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

async function modernHandshake(
  server: ModernServer,
  request: Request,
  classification: MessageClassification,
): Promise<object> {
  let answer: (message: JSONRPCMessage) => void = () => {};
  const answered = new Promise<JSONRPCMessage>((resolve) => (answer = resolve));
  const transport = new OneExchange(classification, (message) => answer(message));
  await server.connect(transport);
  transport.onmessage?.(asMessage(request), { classification });
  return asWritten(await answered);
}

/** A cast only: the SDKs' types do not allow `params` to be undefined. */
const asMessage = (request: Request) => request as Request & { params?: NonNullable<Request["params"]> };
