import type { MessageClassification } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";

/** The revision of a request; for the newest, with the SDK's classification. */
export type Era =
  | { readonly name: "legacy" }
  | { readonly name: "modern"; readonly classification: MessageClassification };

export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params?: { [name: string]: unknown } | undefined;
}

export function isRequest(message: unknown): message is Request {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = message;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  return typeof method === "string" && (params === undefined || isJsonObject(params));
}

/** A client's reply to a question of the service; without `result` it is an error. */
export interface ClientReply {
  readonly id: string;
  readonly result?: unknown;
}

/** The ids of our questions are text. */
export const isReply = (message: unknown): message is ClientReply =>
  isJsonObject(message) &&
  !("method" in message) &&
  typeof message["id"] === "string" &&
  ("result" in message || "error" in message);

/** The client cancels its own request. */
export interface GivenUp {
  readonly method: "notifications/cancelled";
  readonly params: { readonly requestId: string | number };
}

export function isGivenUp(message: unknown): message is GivenUp {
  if (!isJsonObject(message) || message["method"] !== "notifications/cancelled") return false;
  const id = isJsonObject(message["params"]) ? message["params"]["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number";
}
