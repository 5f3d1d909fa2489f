export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Refused before any protocol: Host, Origin, media type. */
  refused: -32000,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export type RpcCode = (typeof rpcCode)[keyof typeof rpcCode];

/** An error in the connector's own words. The message of no other error leaves the service. */
export class RpcError extends Error {
  readonly code: RpcCode;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  constructor(code: RpcCode, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

export type RpcId = string | number | null;

export const rpcFailure = (id: RpcId, code: number, message: string, data?: unknown) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});
