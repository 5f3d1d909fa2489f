import { rpcCode, RpcError } from "./rpc.ts";

/** What the desk threw, by the id of the request it answered. */
export type Failures = Map<string | number, unknown>;

interface Failed {
  readonly id?: string | number | null | undefined;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * A message as it may leave. The SDKs copy what was thrown into the answer; only an `RpcError` was worded to be
 * read, anything else is told by its code alone.
 */
export function told<M extends object>(message: M, failures: Failures, modern: boolean): M {
  if (!isFailed(message)) return message;
  const { id, error } = message;
  const thrown = id === undefined || id === null ? undefined : failures.get(id);
  if (id !== undefined && id !== null) failures.delete(id);
  return {
    ...message,
    error: thrown instanceof RpcError ? ownError(thrown, modern) : protocolError(error.code),
  };
}

const isFailed = (message: object): message is Failed =>
  "error" in message && typeof message.error === "object" && message.error !== null;

/** From revision 2026-07-28 on a resource that does not exist is a matter of the parameters. */
function ownError({ code, message, data }: RpcError, modern: boolean): object {
  const toldCode = modern && code === rpcCode.resourceNotFound ? rpcCode.invalidParams : code;
  return { code: toldCode, message, ...(data !== undefined && { data }) };
}

function protocolError(code: number): object {
  if (code === rpcCode.methodNotFound) return { code, message: "Method not found" };
  return { code: rpcCode.invalidParams, message: "Invalid params" };
}
