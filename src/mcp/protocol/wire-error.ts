import { rpcCode, type RpcError } from "./rpc.ts";

/** `modern` is revision 2026-07-28, `legacy` every older one. */
export type EraName = "legacy" | "modern";

interface ToldError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** From 2026-07-28 on, a missing resource is an invalid parameter. */
export function toWireError({ code, message, data }: RpcError, era: EraName): ToldError {
  const wireCode = era === "modern" && code === rpcCode.resourceNotFound ? rpcCode.invalidParams : code;
  return { code: wireCode, message, ...(data !== undefined && { data }) };
}

/** The SDKs copy a thrown error into their message; only its code may leave the service. */
export const asWritten = <M extends object>(message: M): M =>
  isFailed(message) ? { ...message, error: protocolError(message.error) } : message;

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

/** The SDKs use -32603 for malformed parameters; the service answers -32602. */
function protocolError({ code, data }: Failed["error"]): ToldError {
  if (code === rpcCode.internalError) return { code: rpcCode.invalidParams, message: "Invalid params" };
  return {
    code,
    message: protocolMessages.get(code) ?? "Invalid request",
    ...(data !== undefined && { data }),
  };
}
