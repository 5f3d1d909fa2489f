import type { FastifyInstance, InjectOptions } from "fastify";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { loadGuides } from "../../src/mcp/catalogue/guides.ts";
import { serviceConnector } from "../../src/mcp/transport/service-connector.ts";
import type { Tool } from "../../src/mcp/catalogue/tool.ts";
import { httpServer } from "../../src/rest/http-server.ts";
import { mountEndpoints } from "../../src/rest/routes.ts";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";
import { readToEnd } from "./connector.ts";
import type { Json } from "./payload.ts";

export interface RestAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  /** The transport's status: 200 but where the credential itself was refused. */
  readonly status: number;
  readonly isError: boolean;
  /** What the text block says, parsed. */
  readonly text: Json;
  readonly structured: Json | null;
  readonly meta: Json;
  readonly raw: string;
}

/** The two faces of one door, asked the same way: an endpoint and its flat input. */
export interface Faces {
  rest(endpoint: Endpoint, input: Json, secret: string | null): Promise<RestAnswer>;
  tool(tool: Tool, input: Json, secret: string | null): Promise<ToolAnswer>;
  rpc(message: Json, secret: string | null): Promise<{ status: number; body: string }>;
  readonly http: FastifyInstance;
}

/** A request as a person would write it from the documentation, built without the service's own client. */
export function asRequest({ method, path, params, fields, access }: Endpoint, input: Json): InjectOptions {
  const rest = { ...input };
  let url = `/${access.face}/v1${path}`;
  for (const [placeholder, name] of Object.entries(params)) {
    url = url.replace(`{${placeholder}}`, encodeURIComponent(String(rest[name])));
    delete rest[name];
  }
  if (method !== "GET")
    return { method, url, payload: JSON.stringify(rest), headers: { "content-type": "application/json" } };
  const query = Object.entries(rest).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(fields.get(name)?.json.type === "array" ? String(value) : `${value as string}`)}`,
  );
  return { method, url: query.length > 0 ? `${url}?${query.join("&")}` : url };
}

export function facesOf(app: AppContext): Faces {
  const http = httpServer(app, []);
  mountEndpoints(http, { prefix: "/api/v1", endpoints: apiEndpoints }, app);
  mountEndpoints(http, { prefix: "/plugin/v1", endpoints: pluginEndpoints }, app);
  mountEndpoints(http, { prefix: "/agent/v1", endpoints: agentEndpoints }, app);
  const handle = serviceConnector({
    app,
    catalogue: { tools, resources, prompts, guides: loadGuides("resources/guides"), wording },
    version: "0.0.0",
    secrets: ["a secret of the tests' faces"],
    closing: new AbortController().signal,
  });
  const authorization = (secret: string | null): Record<string, string> =>
    secret === null ? {} : { authorization: `Bearer ${secret}` };

  const rpc: Faces["rpc"] = async (message, secret) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      host: new URL(app.baseUrl).host,
      ...authorization(secret),
    };
    const rawHeaders = Object.entries(headers).flat();
    const request = {
      method: "POST",
      url: "/mcp",
      headers,
      rawHeaders,
      body: Buffer.from(JSON.stringify(message)),
      address: "127.0.0.1",
      requestId: "r",
    };
    const { status, body } = await readToEnd(await handle(request));
    return { status, body: body ?? "" };
  };

  return {
    http,
    rpc,
    rest: async (endpoint, input, secret) => {
      const request = asRequest(endpoint, input);
      const response = await http.inject({
        ...request,
        headers: { ...request.headers, ...authorization(secret) },
      });
      return {
        status: response.statusCode,
        body: response.body === "" ? {} : response.json<Json>(),
        headers: response.headers,
      };
    },
    tool: async ({ definition: { name } }, input, secret) => {
      const { status, body } = await rpc(
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
        secret,
      );
      return toolAnswer(status, body);
    },
  };
}

interface RpcBody {
  readonly result?: {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: Json;
    _meta?: Json;
  };
}

function toolAnswer(status: number, raw: string): ToolAnswer {
  const parsed = JSON.parse(raw) as RpcBody & Json;
  const { result } = parsed;
  if (!result) return { status, isError: true, text: parsed, structured: null, meta: {}, raw };
  return {
    status,
    isError: result.isError === true,
    text: JSON.parse(result.content[0]?.text ?? "null") as Json,
    structured: result.structuredContent ?? null,
    meta: result._meta ?? {},
    raw,
  };
}
