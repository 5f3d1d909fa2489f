import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Backend } from "../contract/backend.ts";
import type { Exchange } from "./exchange.ts";
import { messageText } from "./message-text.ts";
import type { Narrowing } from "./narrowing.ts";
import type { Connector } from "./server.ts";
import { told, type EraName, type Failures } from "./told.ts";

export interface StdioOptions {
  readonly connector: Connector;
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly input: Readable;
  readonly output: Writable;
  /** Told of messages that are none; nothing but JSON-RPC is ever written to `output`. */
  readonly report: (error: unknown) => void;
}

/** Serves one client on two streams, in the revision it opens with; resolves when the client is gone. */
export function serveStdio({
  connector,
  backend,
  narrowing,
  input,
  output,
  report,
}: StdioOptions): Promise<void> {
  return new Promise((resolve) => {
    const failures: Failures = new Map();
    let era: EraName = "legacy";
    const exchange: Exchange = {
      backend,
      narrowing,
      requestId: "stdio",
      guarded: false,
      notify: null,
      refused: null,
    };
    const write = (message: JSONRPCMessage): string => `${messageText(told(message, failures, era))}\n`;
    const factory = ({ era: opened }: { era: EraName }) => {
      era = opened;
      return connector.serverFor(era, exchange, failures);
    };
    serve(factory, { transport: new LineTransport(input, output, write, resolve), onerror: report });
  });
}

/** The SDK's transport, writing each message as the one line every other transport of ours sends. */
class LineTransport extends StdioServerTransport {
  readonly #output: Writable;
  readonly #write: (message: JSONRPCMessage) => string;
  readonly #closed: () => void;

  constructor(
    input: Readable,
    output: Writable,
    write: (message: JSONRPCMessage) => string,
    closed: () => void,
  ) {
    super(input, output);
    this.#output = output;
    this.#write = write;
    this.#closed = closed;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => void this.#output.write(this.#write(message), () => resolve()));
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed();
  }
}
