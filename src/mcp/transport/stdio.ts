import type { Readable, Writable } from "node:stream";
import type { Backend } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { readsOnly, type McpRequest } from "../methods/request.ts";
import { lines } from "./lines.ts";
import { messageText } from "../protocol/message-text.ts";
import { isRequest, type Era, type Request } from "../protocol/message.ts";
import type { Narrowing } from "../catalogue/narrowing.ts";
import { metaKey, modernRevision } from "../protocol/revisions.ts";
import { rpcCode, rpcFailure } from "../protocol/rpc.ts";
import type { Connector } from "./connector.ts";
import { toolsChanged } from "../methods/tools.ts";
import { ToolsWatch, usualIntervals, type CheckIntervals } from "./tools-watch.ts";
import { stdioClient, type StdioClient } from "./stdio-client.ts";

export interface StdioOptions {
  readonly connector: Connector;
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly input: Readable;
  readonly output: Writable;
  /** Receives errors about malformed messages; only JSON-RPC is written to `output`. */
  readonly report: (error: unknown) => void;
  /** Work to do while the client reads its first answer. */
  readonly onFirstAnswer?: () => void;
  readonly checkIntervals?: CheckIntervals;
}

/** Resolves when the client is gone and every request it sent is answered. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input, output, report, onFirstAnswer } = options;
  const write = (message: object): void => void output.write(`${messageText(message)}\n`);
  const client = stdioClient(write);
  const tools = new ToolsWatch({
    offered: () => options.connector.toolsOffered(requestContext(options, write)),
    notify: () => write(toolsChanged),
    every: options.checkIntervals ?? usualIntervals,
  });
  const open = new Set<Promise<void>>();
  let greeting = onFirstAnswer;
  for await (const line of lines(input)) {
    const message = read(line, report);
    if (!isRequest(message)) {
      client.handle(message);
      continue;
    }
    const answering = answered(options, message, client, tools, write)
      .catch(report)
      .finally(() => {
        open.delete(answering);
        greeting?.();
        greeting = undefined;
      });
    open.add(answering);
  }
  client.leave();
  await Promise.all([...open, tools.end()]);
}

/** Undefined for a line that cannot be read. */
function read(line: string, report: StdioOptions["report"]): unknown {
  if (line.trim() === "") return undefined;
  try {
    const message: unknown = JSON.parse(line);
    if (!isJsonObject(message)) report(new Error("A line on standard input is not a JSON-RPC message."));
    return message;
  } catch {
    report(new Error("A line on standard input is not JSON."));
    return undefined;
  }
}

async function answered(
  options: StdioOptions,
  request: Request,
  client: StdioClient,
  tools: ToolsWatch,
  write: (message: object) => void,
): Promise<void> {
  const era = eraOf(request);
  if ("jsonrpc" in era) return write(era);
  const context = { ...requestContext(options, write), ...client.abilities(request, era) };
  const answer = await options.connector.answer(request, era, context);
  write(answer);
  if (request.method === "tools/list") tools.read(answer);
}

const requestContext = (
  { backend, narrowing }: StdioOptions,
  write: (message: object) => void,
): McpRequest => ({
  ...readsOnly,
  backend,
  narrowing,
  requestId: "stdio",
  guarded: false,
  notify: (method, params) => write({ jsonrpc: "2.0", method, params }),
});

/** From 2026-07-28 on each request names its revision. An error for a wrong one, or missing capabilities. */
function eraOf({ id, params }: Request): Era | ReturnType<typeof rpcFailure> {
  const meta = params?.["_meta"];
  if (!isJsonObject(meta) || !(metaKey.version in meta)) return { name: "legacy" };
  const requested = meta[metaKey.version];
  if (requested !== modernRevision) {
    const versions = { supported: [modernRevision], requested };
    return rpcFailure(id, rpcCode.unsupportedVersion, "Unsupported protocol version", versions);
  }
  if (!isJsonObject(meta[metaKey.clientCapabilities]))
    return rpcFailure(id, rpcCode.invalidParams, "_meta lacks the client's capabilities");
  return { name: "modern", classification: { era: "modern", revision: modernRevision } };
}
