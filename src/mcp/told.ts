import { rpcCode, RpcError } from "./rpc.ts";

/** Revision 2026-07-28, or any before it. */
export type EraName = "legacy" | "modern";

/** What the desk threw on a connection, by the id of the request it answered. */
export type Failures = Map<string | number, unknown>;

interface ToldError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error of ours in the words of a revision: from 2026-07-28 on, a missing resource is a wrong parameter. */
export function toldError({ code, message, data }: RpcError, era: EraName): ToldError {
  const toldCode = era === "modern" && code === rpcCode.resourceNotFound ? rpcCode.invalidParams : code;
  return { code: toldCode, message, ...(data !== undefined && { data }) };
}

/**
 * An SDK's message as it may leave. The SDKs copy what was thrown into the answer; only an `RpcError` was worded
 * to be read, anything else is told by its code alone.
 */
export function told<M extends object>(message: M, failures: Failures | undefined, era: EraName): M {
  if (!isFailed(message)) return message;
  const { id, error } = message;
  const thrown = id === undefined || id === null ? undefined : failures?.get(id);
  if (id !== undefined && id !== null) failures?.delete(id);
  return {
    ...message,
    error: thrown instanceof RpcError ? toldError(thrown, era) : protocolError(error),
  };
}

interface Failed {
  readonly id?: string | number | null | undefined;
  readonly error: { readonly code: number; readonly data?: unknown };
}

const isFailed = (message: object): message is Failed =>
  "error" in message && typeof message.error === "object" && message.error !== null;

const protocolMessages: ReadonlyMap<number, string> = new Map([
  [rpcCode.methodNotFound, "Method not found"],
  [rpcCode.invalidParams, "Invalid params"],
  [rpcCode.unsupportedVersion, "Unsupported protocol version"],
]);

/** What an SDK refuses itself. One that throws without a code of its own did not understand the parameters. */
function protocolError({ code, data }: Failed["error"]): ToldError {
  if (code === rpcCode.internalError) return { code: rpcCode.invalidParams, message: "Invalid params" };
  return {
    code,
    message: protocolMessages.get(code) ?? "Invalid request",
    ...(data !== undefined && { data }),
  };
}
