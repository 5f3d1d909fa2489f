import type { MessageClassification } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";

/** Which revision a request is of, and for the newest what the SDK says of it. */
export type Era =
  | { readonly name: "legacy" }
  | { readonly name: "modern"; readonly classification: MessageClassification };

/** A message that wants an answer. */
export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params?: { [name: string]: unknown } | undefined;
}

/** Whether a message is a request as JSON-RPC and the protocol have it. */
export function isRequest(message: unknown): message is Request {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = message;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  return typeof method === "string" && (params === undefined || isJsonObject(params));
}

/** What a client replies to a request of ours: a result, or that it cannot. */
export interface ClientReply {
  readonly id: string;
  readonly result?: unknown;
}

/** Every question of ours has text for an id. */
export const isReply = (message: unknown): message is ClientReply =>
  isJsonObject(message) &&
  !("method" in message) &&
  typeof message["id"] === "string" &&
  ("result" in message || "error" in message);

/** Word that a client gives a request of its own up. */
export interface GivenUp {
  readonly method: "notifications/cancelled";
  readonly params: { readonly requestId: string | number };
}

export function isGivenUp(message: unknown): message is GivenUp {
  if (!isJsonObject(message) || message["method"] !== "notifications/cancelled") return false;
  const id = isJsonObject(message["params"]) ? message["params"]["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number";
}
