import { PassThrough } from "node:stream";
import { unnarrowed, type Narrowing } from "../../src/mcp/catalogue/narrowing.ts";
import { connector } from "../../src/mcp/transport/connector.ts";
import type { CheckIntervals } from "../../src/mcp/transport/tools-watch.ts";
import { serveStdio } from "../../src/mcp/transport/stdio.ts";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";
import { envelope, testGuide } from "../support/connector.ts";
import { overRest } from "../support/over-rest.ts";
import type { Json } from "../support/payload.ts";

export interface Talk {
  ask(method: string, params?: Json): Promise<{ result: Json; error: Json }>;
  tool(name: string, args?: Json): Promise<{ text: Json; isError: boolean; quota: Json }>;
  /** Sends word that wants no answer. */
  tell(method: string, params: Json): void;
  readonly lines: string[];
  readonly reports: unknown[];
  end(): Promise<void>;
}

export interface TalkOptions {
  readonly modern?: boolean;
  readonly narrowing?: Narrowing;
  readonly lookEvery?: CheckIntervals;
  /** What the person at this client answers to a question of the server; null: the client cannot ask. */
  readonly says?: ((question: Json) => Json) | null;
}

/** A client on the other end of two streams, which keeps every line it was written. */
export function talkTo(
  url: string,
  token: string | null,
  { modern = false, narrowing = unnarrowed, says = null, lookEvery }: TalkOptions = {},
): Talk {
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const backend = overRest({ url, token, report });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const made = connector({
    tools,
    resources,
    prompts,
    guides: [testGuide],
    wording,
    version: "1.2.3",
    reportDefect: report,
  });
  const served = serveStdio({
    connector: made,
    backend,
    narrowing,
    input,
    output,
    report,
    ...(lookEvery && { checkIntervals: lookEvery }),
  });
  const lines: string[] = [];
  const waiting = new Map<unknown, (message: Json) => void>();
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    rest += chunk.toString("utf8");
    const complete = rest.split("\n");
    rest = complete.pop() ?? "";
    for (const line of complete) {
      lines.push(line);
      const message = JSON.parse(line) as Json;
      if (message["method"] === "elicitation/create" && says) {
        const result = says(message["params"] as Json);
        input.write(`${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n`);
      } else waiting.get(message["id"])?.(message);
    }
  });
  let id = 0;
  const ask: Talk["ask"] = (method, params = {}) => {
    id += 1;
    const asked = id;
    return new Promise((resolve) => {
      waiting.set(asked, (message) =>
        resolve({ result: (message["result"] ?? {}) as Json, error: (message["error"] ?? {}) as Json }),
      );
      input.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: asked, method, params: modern ? { ...params, _meta: envelope } : params })}\n`,
      );
    });
  };
  const tell: Talk["tell"] = (method, params) =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  const tool: Talk["tool"] = async (name, args = {}) => {
    const { result } = await ask("tools/call", { name, arguments: args });
    const [{ text }] = result["content"] as [{ text: string }];
    return {
      text: JSON.parse(text) as Json,
      isError: result["isError"] === true,
      quota: ((result["_meta"] ?? {}) as Json)["tickmark/quota"] as Json,
    };
  };
  const end = async (): Promise<void> => {
    input.end();
    await served;
    await backend.close();
  };
  return { ask, tool, tell, lines, reports, end };
}
