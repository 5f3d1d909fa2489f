/*
 * The protocol's own names and revisions, as the SDKs have them (a test compares). They stand here so that the
 * connector over stdio, which a person waits for, starts without loading an SDK.
 */

/** The revision of the protocol that has no `initialize`; every older one begins with it. */
export const modernRevision = "2026-07-28";

/** Revisions that begin with `initialize`, the newest first. */
export const olderRevisions: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export const metaKey = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;
