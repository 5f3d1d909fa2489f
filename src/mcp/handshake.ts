import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage as LegacyMessage } from "@modelcontextprotocol/sdk/types.js";
import {
  PerRequestHTTPServerTransport,
  Server as ModernServer,
  type JSONRPCMessage,
  type MessageClassification,
} from "@modelcontextprotocol/server";
import { told } from "./told.ts";

/** The revision of the protocol that has no `initialize`; every older one begins with it. */
export const modernRevision = "2026-07-28";

export type Era =
  | { readonly name: "legacy" }
  | { readonly name: "modern"; readonly classification: MessageClassification };

export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params?: { [name: string]: unknown } | undefined;
}

/** How the connector introduces itself. */
export interface Introduction {
  readonly identity: { readonly name: string; readonly title: string; readonly version: string };
  readonly options: ConstructorParameters<typeof LegacyServer>[1] &
    ConstructorParameters<typeof ModernServer>[1];
}

/** How we introduce ourselves changes with a new version of the service only. */
const discoverCache = { "server/discover": { ttlMs: 3_600_000, cacheScope: "public" } } as const;

/** The methods of the protocol itself, each answered by a server of the SDK for its revision that lives for one request. */
export function handshake({ identity, options }: Introduction, request: Request, era: Era): Promise<object> {
  if (era.name === "legacy") return legacyHandshake(new LegacyServer(identity, options), request);
  const modern = { ...options, supportedProtocolVersions: [modernRevision], cacheHints: discoverCache };
  return modernHandshake(new ModernServer(identity, modern), request, era.classification);
}

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
  return told(await answered, undefined, "legacy");
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
  return told(await answered, undefined, "modern");
}

/** The same object: the SDKs' types only refuse that `params` may be undefined. */
const asMessage = (request: Request) => request as Request & { params?: NonNullable<Request["params"]> };
