import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Guide } from "../../src/mcp/catalogue/guides.ts";
import type { McpHttpRequest } from "../../src/mcp/transport/http-request.ts";
import type { McpResponse } from "../../src/mcp/transport/http-answers.ts";
import { instructionsFor } from "../../src/mcp/catalogue/instructions.ts";
import { connector, type Connector } from "../../src/mcp/transport/connector.ts";
import { serviceConnector } from "../../src/mcp/transport/service-connector.ts";
import type { Tool } from "../../src/mcp/catalogue/tool.ts";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools as allTools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";
import type { Json } from "./payload.ts";
import type { TestApp } from "./test-app.ts";

/** The guide tests open; the real ones are prose that changes. */
export const testGuide: Guide = {
  content: { text: "# Errors\n\nWhat each code means.\n" },
  definition: { uri: "tickmark://guides/errors", name: "errors", title: "Errors", mimeType: "text/markdown" },
};

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly url?: string;
  readonly body?: Buffer | null;
}

/** The connector over a test's door, asked without a socket. */
export interface TestConnector {
  readonly connector: Connector;
  readonly handle: (request: McpHttpRequest) => Promise<McpResponse>;
  /** A raw request; headers are laid over those of a well-behaved older client. */
  raw(secret: string | null, sent: Sent): Promise<ReadAnswer>;
  /** One message of revision 2025-11-25, or of 2026-07-28 where `modern`. */
  rpc(
    secret: string | null,
    method: string,
    params?: Json,
    options?: { modern?: boolean; url?: string },
  ): Promise<Answered>;
  tool(
    secret: string | null,
    name: string,
    args?: Json,
    options?: { modern?: boolean; url?: string },
  ): Promise<ToolAnswer>;
}

/** The instructions of a caller to whom every tool is of use. */
export const wholeInstructions = instructionsFor(wording.instructions, allTools, () => true);

/** A tool of the connector by its name. */
export function toolNamed(name: string): Tool {
  const found = allTools.find(({ definition }) => definition.name === name);
  if (!found) throw new Error(`No tool ${name}.`);
  return found;
}

/** An answer read to its end. */
export type ReadAnswer = Omit<McpResponse, "body"> & { readonly body: string | null };

export const readToEnd = async ({ body, ...rest }: McpResponse): Promise<ReadAnswer> => ({
  ...rest,
  body: body instanceof Readable ? await text(body) : body,
});

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: Json;
  readonly result: Json;
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json };
}

export interface ToolAnswer extends Answered {
  /** The text block, parsed. */
  readonly text: Json;
  readonly structured: Json | undefined;
  readonly isError: boolean;
  readonly quota: Json;
}

const host = "127.0.0.1:8080";

/** What every request of revision 2026-07-28 says of its client. */
export const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1.0.0" },
};

export function testConnector({ app }: TestApp, tools: readonly Tool[] = allTools): TestConnector {
  const catalogue = { tools, resources, prompts, guides: [testGuide], wording };
  const version = "1.2.3";
  const made = connector({ ...catalogue, version, reportDefect: app.reportDefect });
  const handle = serviceConnector({
    app,
    catalogue,
    version,
    secrets: ["a secret of the tests' connector"],
    closing: new AbortController().signal,
  });

  const raw: TestConnector["raw"] = async (
    secret,
    { headers = {}, method = "POST", url = "/mcp", body = null },
  ) => {
    const all = {
      host,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
      ...headers,
    };
    const request = {
      method,
      url,
      headers: all,
      rawHeaders: Object.entries(all).flat(),
      body,
      address: "192.0.2.1",
      requestId: "r-1",
    };
    return readToEnd(await handle(request));
  };

  const rpc: TestConnector["rpc"] = async (
    secret,
    method,
    params = {},
    { modern = false, url = "/mcp" } = {},
  ) => {
    const name = params["name"] ?? params["uri"];
    const headers: Record<string, string> = modern
      ? {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" && { "mcp-name": name }),
        }
      : { "mcp-protocol-version": "2025-11-25" };
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: modern ? { ...params, _meta: envelope } : params,
    };
    return answered(await raw(secret, { headers, url, body: Buffer.from(JSON.stringify(message)) }));
  };

  const tool: TestConnector["tool"] = async (secret, name, args = {}, options = {}) => {
    const answer = await rpc(secret, "tools/call", { name, arguments: args }, options);
    const {
      content,
      structuredContent,
      isError,
      _meta: meta,
    } = answer.result as {
      content?: [{ text: string }];
      structuredContent?: Json;
      isError?: boolean;
      _meta?: Json;
    };
    const told = JSON.parse(content?.[0].text ?? "{}") as Json;
    return {
      ...answer,
      text: told,
      structured: structuredContent,
      isError: isError ?? false,
      quota: (meta?.["tickmark/quota"] ?? {}) as Json,
    };
  };

  return { connector: made, handle, raw, rpc, tool };
}

function answered({ status, headers, body }: ReadAnswer): Answered {
  const json = JSON.parse(body ?? "{}") as Json;
  return {
    status,
    headers,
    body: body ?? "",
    json,
    result: (json["result"] ?? {}) as Json,
    error: (json["error"] ?? {}) as Answered["error"],
  };
}

/** The connector behind a socket of this machine, for real clients. The door's base URL becomes its address. */
export async function listening(
  { handle }: TestConnector,
  rename: (baseUrl: string) => void,
): Promise<{ url: URL; requests: McpHttpRequest[]; close: () => Promise<void> }> {
  const requests: McpHttpRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks),
        address: "192.0.2.1",
        requestId: `r-${requests.length}`,
      };
      requests.push(request);
      const answer = async (): Promise<void> => {
        const { status, headers, body } = await handle(request);
        outgoing.writeHead(status, { ...headers });
        if (body instanceof Readable) body.pipe(outgoing);
        else outgoing.end(body);
      };
      void answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  rename(`http://127.0.0.1:${port}`);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), requests, close };
}
