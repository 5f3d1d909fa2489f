import type { Database, Work } from "../../../src/store/engine/database.ts";
import { intercept } from "../../support/intercept.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { request as ask, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import {
  roomyPlans,
  startTestService,
  type Answer,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { patienceMs } from "../../support/patience.ts";

export const clientInfo = { name: "a test's client", version: "1.0.0" };
const accept = "application/json, text/event-stream";

/** Every message of a stream as it comes in. */
export interface Stream {
  readonly status: number;
  readonly messages: Json[];
  readonly ended: Promise<void>;
  close(): void;
}

/** Two processes of one installation, as far as a test can have them: nothing but the database is shared. */
export interface Pair {
  readonly first: TestService;
  readonly second: TestService;
  readonly server: LinkedServer;
  /** With every scope, of the server's owner. */
  readonly token: string;
  close(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-sessions-"));
  const options = { plans: roomyPlans, databaseUrl: `sqlite:${join(folder, "data.db")}`, watchEveryMs: 50 };
  const first = await startTestService(options);
  const second = await startTestService(options);
  const owner = await first.account();
  const server = await first.server(owner, { name: "Lobby", port: 25_565 });
  const token = await first.token(owner);
  const close = async (): Promise<void> => {
    expect([...first.defects, ...second.defects]).toEqual([]);
    await first.close();
    await second.close();
    rmSync(folder, { recursive: true });
  };
  return { first, second, server, token, close };
}

/** Resolves when the service has run this unit of work that much more often: whatever it would find, it has found. */
export function runs<A extends readonly unknown[], T>(
  db: Database,
  unit: (...values: A) => Work<T>,
  times = 2,
): Promise<void> {
  let left = times;
  return new Promise((resolve) => {
    const end = intercept(db, unit, (usual, ..._values: A) => {
      left -= 1;
      if (left === 0) {
        end();
        resolve();
      }
      return usual();
    });
  });
}

/** Ends once it is so; throws where it does not come to pass. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > patienceMs) throw new Error("It did not come to pass.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The headers of a new session whose client says that it can do this; what it is asked is up to the test. */
export async function begin(
  service: TestService,
  token: string,
  capabilities: Json = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const answer = await service.request("POST", "/mcp", { token, headers: { accept }, body });
  return {
    authorization: `Bearer ${token}`,
    "mcp-session-id": String(answer.headers["mcp-session-id"]),
    "mcp-protocol-version": "2025-11-25",
  };
}

/** Posts one message and reads the answer to its end. */
export const send = (service: TestService, headers: Record<string, string>, message: Json): Promise<Answer> =>
  service.request("POST", "/mcp", { headers: { ...headers, accept }, body: { jsonrpc: "2.0", ...message } });

/** Reads an answer while it is being written: of a message, or without one of GET. */
export function open(
  service: TestService,
  headers: Record<string, string>,
  message: Json | null = null,
  path = "/mcp",
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asked = ask(
      {
        host: "127.0.0.1",
        port: service.port,
        path,
        method: message ? "POST" : "GET",
        headers: { ...headers, accept, "content-type": "application/json" },
      },
      (answer: IncomingMessage) => {
        const messages: Json[] = [];
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
          const whole = text.split("\n\n");
          text = whole.pop() ?? "";
          for (const event of whole) {
            const [, data] = /^data: (.*)$/m.exec(event) ?? [];
            if (data !== undefined) messages.push(JSON.parse(data) as Json);
          }
        });
        const ended = new Promise<void>((done) => answer.once("close", done));
        resolve({ status: answer.statusCode ?? 0, messages, ended, close: () => asked.destroy() });
      },
    );
    asked.once("error", reject);
    asked.end(message ? JSON.stringify({ jsonrpc: "2.0", ...message }) : undefined);
  });
}
